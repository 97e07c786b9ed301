/** Requests that are answered from one look, at most: a turn can be long when very many connections are ready. */
const MOST_USES = 100

/**
 * Looks at most once in a turn of the event loop. All requests of a turn had begun to arrive before it, so that a look
 * within it is never too old for any of them.
 */
export function oncePerTurn<T>(look: () => T): () => T {
  let seen: { readonly value: T } | null = null
  let uses = 0
  const forget = () => {
    seen = null
  }
  return () => {
    if (seen === null || uses >= MOST_USES) {
      if (seen === null) setImmediate(forget)
      seen = { value: look() }
      uses = 0
    }
    uses += 1
    return seen.value
  }
}
