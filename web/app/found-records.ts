import { pagePath, recordPath } from '../../src/page/addresses.ts'
import { ask } from '../api/client.ts'
import { queryOfPieces, readLine } from '../query/search-line/read-line.ts'
import { MATERIAL_VOCABULARY, RECORD_VOCABULARY, type Vocabulary } from '../query/search-line/vocabulary.ts'
import type { Command } from './page-commands.ts'
import { navigate } from './router.tsx'

interface Found {
  readonly _id: string
  readonly name?: string
  readonly formula?: string
  readonly isEntitySet?: boolean
}

/** Where records are looked for, and what is said of each. */
const PLACES: readonly {
  readonly collection: string
  readonly vocabulary: Vocabulary
  readonly group: Command['group']
}[] = [
  { collection: 'materials', vocabulary: MATERIAL_VOCABULARY, group: 'Materials' },
  { collection: 'methods', vocabulary: RECORD_VOCABULARY, group: 'Methods' },
  { collection: 'jobs', vocabulary: RECORD_VOCABULARY, group: 'Jobs' },
]

/** Records of a kind that are shown at most. */
const MOST = 5
const FEWEST_LETTERS = 2

/** Finds records by the words of the search line: one question to each kind. What a line cannot mean finds nothing. */
export async function findRecords(text: string, signal: AbortSignal): Promise<readonly Command[]> {
  if (text.trim().length < FEWEST_LETTERS) return []
  const found = await Promise.all(PLACES.map((place) => findIn(place, text, signal)))
  return found.flat()
}

async function findIn(place: (typeof PLACES)[number], text: string, signal: AbortSignal): Promise<readonly Command[]> {
  const reading = readLine(text, place.vocabulary)
  if ('fault' in reading || reading.pieces.length === 0) return []
  const search = {
    query: JSON.stringify(queryOfPieces(reading.pieces)),
    projection: JSON.stringify({ fields: { name: 1, formula: 1, isEntitySet: 1 }, limit: MOST }),
  }
  const { data } = await ask<readonly Found[]>('GET', `/${place.collection}`, { search, signal })
  return data.map(({ _id, name = _id, formula, isEntitySet }): Command => {
    const isSet = isEntitySet === true
    return {
      title: name,
      group: isSet ? 'Sets' : place.group,
      id: _id,
      ...(formula === undefined || formula === name ? {} : { formula }),
      run: () => navigate(isSet ? pagePath('set', { id: _id }) : recordPath(place.collection, _id)),
    }
  })
}
