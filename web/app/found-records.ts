import { pagePath, recordPath } from '../../src/page/addresses.ts'
import { ask } from '../api/client.ts'
import { queryOfPieces, readLine } from '../query/search-line/read-line.ts'
import { MATERIAL_VOCABULARY, RECORD_VOCABULARY } from '../query/search-line/vocabulary.ts'
import type { Command } from './page-commands.ts'
import { navigate } from './router.tsx'

/** A record as it is named where it is found. */
export interface FoundRecord {
  readonly _id: string
  readonly name?: string
  readonly formula?: string
  readonly isEntitySet?: boolean
}

/** Collections in which a palette looks, and what it calls their records. */
const PLACES: readonly { readonly collection: string; readonly group: Command['group'] }[] = [
  { collection: 'materials', group: 'Materials' },
  { collection: 'methods', group: 'Methods' },
  { collection: 'jobs', group: 'Jobs' },
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

/** Records of one kind by the words of the search line; without words the newest. */
export async function recordsOf(
  collection: string,
  text: string,
  signal: AbortSignal,
): Promise<readonly FoundRecord[]> {
  const reading = readLine(text, collection === 'materials' ? MATERIAL_VOCABULARY : RECORD_VOCABULARY)
  if ('fault' in reading || (reading.pieces.length === 0 && text.trim() !== '')) return []
  const search = {
    query: JSON.stringify(queryOfPieces(reading.pieces)),
    projection: JSON.stringify({ fields: { name: 1, formula: 1, isEntitySet: 1 }, limit: MOST }),
    ...(reading.pieces.length === 0 ? { sort: '-createdAt' } : {}),
  }
  return (await ask<readonly FoundRecord[]>('GET', `/${collection}`, { search, signal })).data
}

async function findIn(place: (typeof PLACES)[number], text: string, signal: AbortSignal): Promise<readonly Command[]> {
  const found = await recordsOf(place.collection, text, signal)
  return found.map(({ _id, name = _id, formula, isEntitySet }): Command => {
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
