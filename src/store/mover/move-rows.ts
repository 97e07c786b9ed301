import { createHash } from 'node:crypto'
import { AppError } from '../../kernel/errors.ts'
import { parseDocument } from '../../kernel/json.ts'
import { newId } from '../../kernel/names.ts'
import { DAMAGE_HINT, STORE_ERRORS } from '../errors.ts'
import { ROW_KIND_NAMES, ROW_KINDS, type Row, type RowKindName, type RowSource, type RowTarget } from '../port/rows.ts'

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

/** Progress of a move, as the mark in its target has it. */
interface MovePlace {
  /** Another one begins at each beginning: two movers of one target notice each other. */
  readonly mover: string
  readonly from: string
  readonly to: string
  /** The state of the source that is moved. */
  readonly state: string
  readonly kind: RowKindName
  /** The order of the last row of the kind that is there. */
  readonly after: Row | null
  readonly moved: number
}

/** Options of a move, and listeners for its progress. */
export interface MoveTerms {
  /** Marks that are other ones in the target once all rows are there: names and values. */
  readonly marks?: readonly Row[]
  /** Hears after how many rows a move is resumed. */
  goesOn?(moved: number): void
  update?(phase: 'moving' | 'deriving' | 'comparing', done: number, total: number): void
}

/** Moves all rows, going on where a move was interrupted; compares the two stores row by row, and then opens the target to all. */
export async function moveRows(source: RowSource, target: RowTarget, terms: MoveTerms = {}): Promise<RowSums> {
  const state = await source.state()
  const begun = await target.begun()
  let place = placeAfter(begun, { source, target, state })
  if (place.moved > 0) terms.goesOn?.(place.moved)
  let mark = JSON.stringify(place)
  await target.mark(begun, mark)
  const total = await countRows(source)
  for (const kind of MOVED.slice(MOVED.indexOf(place.kind))) {
    const { ordered } = ROW_KINDS[kind]
    for await (const rows of source.read(kind, kind === place.kind ? place.after : null)) {
      if (kind === 'record') assertDocuments(source, rows)
      const last = rows.at(-1) as Row
      place = { ...place, kind, after: last.slice(0, ordered), moved: place.moved + rows.length }
      const to = JSON.stringify(place)
      await target.put(kind, rows, { from: mark, to })
      mark = to
      terms.update?.('moving', place.moved, total)
    }
  }
  await target.derive((done, all) => terms.update?.('deriving', done, all))
  const assertUnchanged = async () => {
    if ((await source.state()) !== state) throw changedSource(source, target)
  }
  await assertUnchanged()
  const sums = await compare(source, target, (rows) => terms.update?.('comparing', rows, 2 * total))
  await assertUnchanged()
  await target.finish(mark, terms.marks ?? [])
  return sums
}

const MOVED = ROW_KIND_NAMES.filter((kind) => !('follows' in ROW_KINDS[kind]))

async function countRows(source: RowSource): Promise<number> {
  let total = 0
  for (const kind of MOVED) total += await source.count(kind)
  return total
}

interface Between {
  readonly source: RowSource
  readonly target: RowTarget
  readonly state: string
}

function placeAfter(begun: string | null, { source, target, state }: Between): MovePlace {
  const names = { mover: newId(), from: source.name, to: target.name }
  const first = MOVED[0] as RowKindName
  if (begun === null) return { ...names, state, kind: first, after: null, moved: 0 }
  const place = JSON.parse(begun) as MovePlace
  if (place.state === state) return { ...place, ...names }
  throw new AppError(
    STORE_ERRORS.changedSource,
    `${target.name} has a part of what was in ${place.from}; that has been written to since, or ${source.name} is something else. Nothing was changed.`,
    { hint: `Begin anew: remove what is in ${target.name}, and run the command again.` },
  )
}

/** A record that is no document would stop the making of segments without saying where it came from. */
function assertDocuments({ name }: RowSource, rows: readonly Row[]): void {
  const [N, ID, DOC] = [0, 4, 7] as const
  for (const row of rows) {
    try {
      parseDocument(String(row[DOC]))
    } catch (error) {
      const message = `The record ${row[ID]} (number ${row[N]}) in ${name} is damaged: its text is no JSON object.`
      throw new AppError(STORE_ERRORS.damagedRecord, message, { hint: DAMAGE_HINT }, error)
    }
  }
}

async function compare(source: RowSource, target: RowTarget, progress: (rows: number) => void): Promise<RowSums> {
  const moved = await target.read()
  try {
    const expected = await sumUp(source, progress)
    const seen = Object.values(expected).reduce((sum, { count }) => sum + count, 0)
    const differences = differencesOf(expected, await sumUp(moved, (rows) => progress(seen + rows)))
    if (differences.length === 0) return expected
    throw new AppError(
      STORE_ERRORS.unlikeSource,
      `${target.name} has not become what ${source.name} is:\n${differences.join('\n')}`,
      {
        hint: `Nothing opens it. Look at the source with \`quarry check\`, remove what is in ${target.name}, and begin anew.`,
      },
    )
  } finally {
    await moved.close()
  }
}

function changedSource(source: RowSource, target: RowTarget): AppError {
  return new AppError(
    STORE_ERRORS.changedSource,
    `${source.name} has been written to while it was moved: ${target.name} has only a part of it, and nothing opens it.`,
    { hint: `Stop all servers on the source, remove what is in ${target.name}, and begin anew.` },
  )
}
