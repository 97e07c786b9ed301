import { hasBit } from '../../src/engine/selection.ts'
import type { Connection } from '../../src/store/sqlite/base/database.ts'
import { segmentReader } from '../../src/store/sqlite/segments/segment-rows.ts'

/** A segment as a test sees it: the numbers of its records, and those of them that are dead. */
export interface SeenSegment {
  readonly home: number
  readonly numbers: readonly number[]
  readonly dead: readonly number[]
}

/** All segments of a database, in the order in which they were made. */
export function segmentsOf(connection: Connection): readonly SeenSegment[] {
  const reader = segmentReader(connection)
  return connection
    .prepare<[], number>('SELECT number FROM segment ORDER BY number')
    .pluck()
    .all()
    .flatMap((number) => {
      const segment = reader.read(number)
      if (segment === null) return []
      const numbers = [...segment.numbers]
      return [{ home: segment.home, numbers, dead: numbers.filter((_, row) => hasBit(segment.dead, row)) }]
    })
}
