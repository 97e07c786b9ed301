import { useEffect, useState } from 'preact/hooks'
import { ask } from '../api/client.ts'
import type { Kind } from './kind.ts'

/** They change only when the server is started anew. */
let asked: Promise<readonly Kind[]> | null = null

/** The kinds of records that there are; asked for once. */
export function askKinds(): Promise<readonly Kind[]> {
  asked ??= ask<readonly Kind[]>('GET', '/schemas').then(
    ({ data }) => data,
    (error) => {
      asked = null
      throw error
    },
  )
  return asked
}

/** The kind of a collection: null while it is not known, undefined where there is none, an error where the server does not say. */
export function useKind(collection: string): Kind | null | undefined | Error {
  const [kind, setKind] = useState<Kind | null | undefined | Error>(null)
  useEffect(() => {
    setKind(null)
    askKinds().then((kinds) => setKind(kinds.find((one) => one.collection === collection)), setKind)
  }, [collection])
  return kind
}
