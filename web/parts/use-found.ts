import { useEffect, useState } from 'preact/hooks'

/** Finds things by a text; the signal ends the search. */
export type Find<One> = (text: string, signal: AbortSignal) => Promise<readonly One[]>

/** What is found by a text. */
export interface Found<One> {
  /** Null while they are on the way. */
  readonly found: readonly One[] | null
  /** Whether nobody could be asked; then none are found. */
  readonly hasFailed: boolean
}

/** Milliseconds without a letter after which somebody is asked. */
const PAUSE = 250
const NONE = { found: [], hasFailed: false }

/** Looks for what is found by a text, once nobody types; without something to find by, it is none. */
export function useFound<One>(find: Find<One> | undefined, text: string): Found<One> {
  const [came, setCame] = useState<Found<One>>(NONE)
  useEffect(() => {
    if (find === undefined) {
      setCame(NONE)
      return
    }
    const end = new AbortController()
    setCame({ found: null, hasFailed: false })
    const pause = setTimeout(() => {
      find(text, end.signal).then(
        (found) => setCame({ found, hasFailed: false }),
        () => end.signal.aborted || setCame({ found: [], hasFailed: true }),
      )
    }, PAUSE)
    return () => {
      clearTimeout(pause)
      end.abort()
    }
  }, [find, text])
  return came
}
