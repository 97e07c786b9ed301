import { LOOK_MS } from './change-feed.ts'

/** Source and end of a stream of events. */
export interface StreamTerms {
  /** Begins to tell of changes; gives what ends it. */
  readonly listen: (hear: (collections: readonly string[]) => void) => Promise<() => void>
  /** Whether whoever reads the stream may still do so. */
  readonly mayGoOn: () => Promise<boolean>
  /** Whether a collection is told of. */
  readonly isTold: (collection: string) => boolean
  /** Aborted when the client has gone, or the server closes. */
  readonly signal: AbortSignal
}

/** After so many looks without news something is sent, so that nobody takes the connection for dead. */
const LOOKS_BETWEEN_SIGNS = 15
/** Delay before a client connects anew, in milliseconds. */
const RETRY_MS = 3000

/** Server-sent events (HTML, 9.2): `ready`, then `changed` with collections. Nothing waits for a client that does not read. */
export async function* eventStream({ listen, mayGoOn, isTold, signal }: StreamTerms): AsyncGenerator<string> {
  const heard = new Set<string>()
  let wake = () => {}
  const end = await listen((collections) => {
    for (const name of collections) if (isTold(name)) heard.add(name)
    wake()
  })
  const stop = () => wake()
  signal.addEventListener('abort', stop)
  try {
    yield `retry: ${RETRY_MS}\nevent: ready\ndata: {}\n\n`
    for (let looks = 1; !signal.aborted; looks++) {
      if (heard.size === 0) {
        await new Promise<void>((resolve) => {
          const timer = setTimeout(resolve, LOOK_MS)
          wake = () => {
            clearTimeout(timer)
            resolve()
          }
        })
      }
      if (signal.aborted || !(await mayGoOn())) return
      if (heard.size > 0) {
        const collections = [...heard].sort()
        heard.clear()
        yield `event: changed\ndata: ${JSON.stringify({ collections })}\n\n`
      } else if (looks % LOOKS_BETWEEN_SIGNS === 0) yield ': still here\n\n'
    }
  } finally {
    signal.removeEventListener('abort', stop)
    end()
  }
}
