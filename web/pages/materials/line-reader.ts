import type { KnownField } from '../../query/search-line/field-names.ts'
import { MATERIAL_VOCABULARY, RECORD_VOCABULARY, type Vocabulary } from '../../query/search-line/vocabulary.ts'
import type { Collection } from './collections.ts'

export { namesFields, readLine } from '../../query/search-line/read-line.ts'

/** What a line about a collection can speak of. */
export function vocabularyOf({ hasElements, words = [] }: Collection, fields: readonly KnownField[]): Vocabulary {
  const known = hasElements ? MATERIAL_VOCABULARY : RECORD_VOCABULARY
  return { ...known, words: [...known.words, ...words], fields }
}
