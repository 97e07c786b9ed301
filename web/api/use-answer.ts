import { useEffect, useState } from 'preact/hooks'
import { ask } from './client.ts'

/** What came of a question; `null` data while it is on its way. */
export interface Asked<T> {
  readonly data: T | null
  readonly error: unknown
}

/** Asks for a path of the API whenever it, or what the answer depends on beside it, becomes another one; with null nothing is asked. */
export function useAnswer<T>(
  path: string | null,
  search: Readonly<Record<string, string>> = {},
  state: unknown = null,
): Asked<T> {
  const [asked, setAsked] = useState<Asked<T>>({ data: null, error: undefined })
  const parameters = new URLSearchParams(search).toString()
  useEffect(() => {
    if (path === null) return
    const end = new AbortController()
    ask<T>('GET', path, { search: new URLSearchParams(parameters), signal: end.signal }).then(
      ({ data }) => setAsked({ data, error: undefined }),
      (error: unknown) => end.signal.aborted || setAsked({ data: null, error }),
    )
    return () => end.abort()
  }, [path, parameters, state])
  return asked
}
