/** Waits for what a method promises. */
type Waiting = <Result>(result: Promise<Result>, method: string) => Promise<Result>

/** Does what an object does; `note` gives what is thrown for what its methods throw, also later or in a stream, and `wait` waits for them. */
export function noting<Target extends object>(
  target: Target,
  note: (error: unknown) => unknown,
  wait: Waiting = (result) => result,
): Target {
  const guarded: Record<string, unknown> = {}
  for (const name of methodsOf(target)) {
    const method = Reflect.get(target, name) as (...given: unknown[]) => unknown
    guarded[name] = (...given: unknown[]): unknown => {
      try {
        const result = method.apply(target, given)
        if (result instanceof Promise) return wait(result, name).catch((error: unknown) => Promise.reject(note(error)))
        return isStream(result) ? notingStream(result, note) : result
      } catch (error) {
        throw note(error)
      }
    }
  }
  return guarded as Target
}

function methodsOf(target: object): readonly string[] {
  const prototype = Object.getPrototypeOf(target) as object
  return Object.entries(Object.getOwnPropertyDescriptors(prototype)).flatMap(([name, { value }]) =>
    typeof value === 'function' && name !== 'constructor' ? [name] : [],
  )
}

function isStream(value: unknown): value is AsyncIterable<unknown> {
  return typeof value === 'object' && value !== null && Symbol.asyncIterator in value
}

async function* notingStream(
  stream: AsyncIterable<unknown>,
  note: (error: unknown) => unknown,
): AsyncIterable<unknown> {
  try {
    yield* stream
  } catch (error) {
    throw note(error)
  }
}
