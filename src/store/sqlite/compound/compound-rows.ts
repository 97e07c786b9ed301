import { AppError } from '../../../kernel/errors.ts'
import type { JsonObject } from '../../../kernel/json.ts'
import type { SortKey } from '../../../query/ast/list-request.ts'
import { KeyBytes } from '../../../query/order/key-bytes.ts'
import { sortKeyOf } from '../../../query/order/sort-key.ts'
import type { SortKeyValues } from '../../../query/order/sort-key-values.ts'
import { pathOfType } from '../leaf-key.ts'
import type { DocumentLeaves, LeafEntry } from '../write/document-leaves.ts'
import { type CompoundShape, sortText } from './compound-index.ts'

/** What decides which rows a record has. */
export interface CompoundRecord {
  readonly n: number
  readonly scope: number
  readonly document: JsonObject
  readonly leaves: Pick<DocumentLeaves, 'entries' | 'partialPaths'>
}

/** An index with the number of its path, by which leaves know it; 0 when it is over none. */
export interface NumberedShape extends CompoundShape {
  readonly number: number
  readonly pathNumber: number
}

export interface CompoundRow extends LeafEntry {
  readonly compound: number
  readonly scope: number
  readonly place: Buffer
  readonly n: number
}

/** A key that is longer makes an index unsuitable: rows of a thousand bytes are not what makes a query fast. */
const LONGEST_KEY = 512
const NUMBER_BYTES = 6
/** The one value that all records have in an index without a condition. */
export const NO_CONDITION: LeafEntry = { pathType: 0, value: 0 }

const keys = new KeyBytes(LONGEST_KEY)

/** What a record has in compound indexes, and why it cannot be in some. */
export interface RowsOfRecord {
  readonly rows: readonly CompoundRow[]
  readonly unsuitable: ReadonlyMap<number, string>
}

/** Works out the rows of a record. Where it stands is worked out once for all indexes of one sort. */
export function compoundRows(indexes: readonly NumberedShape[], record: CompoundRecord): RowsOfRecord {
  const met = conditionsMet(indexes, record)
  const places = new Map<string, Buffer | string>()
  const rows: CompoundRow[] = []
  const unsuitable = new Map<number, string>()
  for (const index of indexes) {
    if (record.leaves.partialPaths.has(index.pathNumber)) {
      unsuitable.set(index.number, `A record has values of ${index.path} that are not indexed.`)
      continue
    }
    const entries = met.get(index.pathNumber) ?? []
    if (entries.length === 0) continue
    const sort = sortText(index.sort)
    const place = places.get(sort) ?? placeOf(record, index)
    places.set(sort, place)
    if (typeof place === 'string') {
      unsuitable.set(index.number, place)
      continue
    }
    const { scope, n } = record
    for (const { pathType, value } of entries) rows.push({ compound: index.number, scope, pathType, value, place, n })
  }
  return { rows, unsuitable }
}

/** The values that the record has at the paths of the indexes, by path. */
function conditionsMet(
  indexes: readonly NumberedShape[],
  { leaves }: CompoundRecord,
): ReadonlyMap<number, readonly LeafEntry[]> {
  const met = new Map<number, LeafEntry[]>(indexes.map(({ pathNumber }) => [pathNumber, []]))
  for (const entry of leaves.entries) met.get(pathOfType(entry.pathType))?.push(entry)
  met.set(0, [NO_CONDITION])
  return met
}

/** Where a record stands; or why that cannot be told. */
function placeOf({ n, document }: CompoundRecord, { sort }: CompoundShape): Buffer | string {
  try {
    return placeBytes(sortKeyOf(document, sort), sort, n) ?? `A record sorts by more than ${LONGEST_KEY} bytes.`
  } catch (error) {
    if (error instanceof AppError) return error.message
    throw error
  }
}

/** The sort key and then the number, which breaks ties in natural order; null when the key is too long. */
export function placeBytes(values: SortKeyValues, sort: readonly SortKey[], n: number): Buffer | null {
  const key = keys.write(values, sort)
  if (key === null) return null
  const place = Buffer.allocUnsafe(key.length + NUMBER_BYTES)
  key.copy(place)
  place.writeUIntBE(n, key.length, NUMBER_BYTES)
  return place
}

/** The number of the record that stands at a place. */
export function numberAt(place: Buffer): number {
  return place.readUIntBE(place.length - NUMBER_BYTES, NUMBER_BYTES)
}
