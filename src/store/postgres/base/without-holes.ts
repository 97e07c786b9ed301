/** What the driver calls a statement: it resolves its promise itself, once `handle` has been called. */
interface Statement {
  executed: boolean
  resolve: (result: unknown) => void
  handle(): unknown
}

interface Unsent {
  /** Makes a statement, which is sent once somebody waits for it. */
  unsafe(text: string): object
}

const mended = new WeakSet<Statement>()

/**
 * Where a statement fails after its first rows, as one does that is cancelled, the driver (3.4.9) counts the rows of the next statement on that
 * connection on from there: a result that begins with as many holes, in which nothing is found. They are closed before anybody sees them.
 */
export function withoutHoles<Connections extends Unsent>(connections: Connections): Connections {
  // It is not sent: nobody waits for it.
  const statements = Object.getPrototypeOf(connections.unsafe('')) as Statement
  if (mended.has(statements)) return connections
  mended.add(statements)
  const { handle } = statements
  statements.handle = function (this: Statement) {
    if (!this.executed) {
      const { resolve } = this
      this.resolve = (result) => resolve(closed(result))
    }
    return handle.call(this)
  }
  return connections
}

function closed(result: unknown): unknown {
  if (Array.isArray(result) && result.length > 0 && !(0 in result)) {
    result.splice(0, Number(Object.keys(result)[0]))
  }
  return result
}
