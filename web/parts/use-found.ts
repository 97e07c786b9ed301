import { useEffect, useState } from 'preact/hooks'

/** Finds things by a text; the signal ends the search. */
export type Find<One> = (text: string, signal: AbortSignal) => Promise<readonly One[]>

/** Milliseconds without a letter after which somebody is asked. */
const PAUSE = 250

/** What is found by a text, once nobody types; null while it is on the way. Without something to find by, and of what cannot be found, it is none. */
export function useFound<One>(find: Find<One> | undefined, text: string): readonly One[] | null {
  const [found, setFound] = useState<readonly One[] | null>([])
  useEffect(() => {
    if (find === undefined) {
      setFound([])
      return
    }
    const end = new AbortController()
    setFound(null)
    const pause = setTimeout(() => {
      find(text, end.signal).then(setFound, () => end.signal.aborted || setFound([]))
    }, PAUSE)
    return () => {
      clearTimeout(pause)
      end.abort()
    }
  }, [find, text])
  return found
}
