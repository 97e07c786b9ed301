import type { PageAddress } from '../../../src/page/addresses.ts'
import type { Question } from '../../api/use-answer.ts'
import { type Condition, conditionsOf, type JsonObject } from '../../query/conditions.ts'
import type { Fault } from '../../query/relaxed-json.ts'
import type { Piece } from '../../query/search-line/piece.ts'
import { type Asked, readAsked } from './asked.ts'
import type { Collection } from './collections.ts'
import { keptColumns } from './kept-columns.ts'
import { listQuestion, readFilters, readQuery } from './question.ts'
import { useLine } from './use-line.ts'

/** What an address asks of a list, as it is understood. */
interface Understood {
  readonly asked: Asked
  /** What the search line asks. */
  readonly pieces: readonly Piece[]
  /** What is wrong with the line. */
  readonly fault: Fault | null
  /** What filters and plots ask. */
  readonly filters: readonly Condition[]
  /** All of it; null where it is none, or is being read. */
  readonly query: JsonObject | null
  /** One page of records; null while the line is being read, and where it has a fault. */
  readonly question: Question | null
}

/** The same array each time: nothing changes with it. */
const NO_PIECES: readonly Piece[] = []

/** Reads what an address asks of a list. */
export function useAsked(address: PageAddress, collection: Collection): Understood {
  const inAddress = readAsked(address.search)
  // What is in the address is what somebody sent.
  const given = { ...inAddress, columns: inAddress.columns || keptColumns(collection.name) }
  const reading = useLine(collection, given.search)
  const pieces = reading !== null && 'pieces' in reading ? reading.pieces : NO_PIECES
  const asked: Asked = { ...given, line: pieces.map(({ condition }) => condition) }
  const isRead = reading !== null && 'pieces' in reading
  const filters = readFilters(asked.query)
  return {
    asked,
    pieces,
    fault: reading !== null && 'fault' in reading ? reading.fault : null,
    filters: filters === null ? [] : conditionsOf(filters),
    query: isRead ? readQuery(asked) : null,
    question: isRead ? listQuestion(collection, asked) : null,
  }
}
