import { useEffect, useMemo, useState } from 'preact/hooks'
import type { LineReading } from '../../query/search-line/read-line.ts'
import type { Collection } from './collections.ts'
import { useFields } from './use-fields.ts'

type Reader = typeof import('./line-reader.ts')

let loaded: Reader | null = null

/** The reader comes when it is first needed. */
async function lineReader(): Promise<Reader> {
  loaded ??= await import('./line-reader.ts')
  return loaded
}

const NOTHING: LineReading = { pieces: [] }

/** What the text of the search line asks; null until it is read. */
export function useLine(collection: Collection, text: string): LineReading | null {
  const [reader, setReader] = useState(loaded)
  const isEmpty = text.trim() === ''
  const needsFields = !isEmpty && reader?.namesFields(text) === true
  const fields = useFields(collection, needsFields)
  useEffect(() => {
    if (!isEmpty && reader === null) void lineReader().then(setReader)
  }, [isEmpty, reader])
  return useMemo(() => {
    if (isEmpty) return NOTHING
    if (reader === null || (needsFields && fields === null)) return null
    return reader.readLine(text, reader.vocabularyOf(collection, fields ?? []))
  }, [collection, text, reader, needsFields ? fields : null])
}
