import { createHash } from 'node:crypto'
import { ROW_KIND_NAMES, type RowKindName, type RowSource } from '../port/rows.ts'

/** The rows of one kind: how many there are, and a SHA-256 over all of them in their order. */
export interface RowSum {
  readonly count: number
  readonly sha256: string
}

export type RowSums = Readonly<Record<RowKindName, RowSum>>

/** Goes through all rows of a store. `progress` hears how many it has gone through. */
export async function sumUp(source: RowSource, progress: (rows: number) => void = () => {}): Promise<RowSums> {
  let seen = 0
  const sums: [RowKindName, RowSum][] = []
  for (const kind of ROW_KIND_NAMES) {
    const hash = createHash('sha256')
    let count = 0
    for await (const rows of source.read(kind, null)) {
      for (const row of rows) hash.update(`${JSON.stringify(row)}\n`)
      count += rows.length
      seen += rows.length
      progress(seen)
    }
    sums.push([kind, { count, sha256: hash.digest('hex') }])
  }
  return Object.fromEntries(sums) as RowSums
}

/** Says of which kinds two stores do not have the same rows, one sentence each. */
export function differencesOf(expected: RowSums, found: RowSums): readonly string[] {
  return ROW_KIND_NAMES.flatMap((kind) => {
    const [had, has] = [expected[kind], found[kind]]
    if (had.count !== has.count) return [`It has ${has.count} rows of ${kind} instead of ${had.count}.`]
    return had.sha256 === has.sha256 ? [] : [`Its ${had.count} rows of ${kind} are not the same.`]
  })
}
