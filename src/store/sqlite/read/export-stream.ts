import type { QueryPlan } from '../../../query/plan/query-plan.ts'
import type { Candidates, ExportStart, SliceMakes } from './export-slice.ts'
import type { ReadJob, ReadResults } from './read-job.ts'

/** Runs a job on a reader thread, whichever is free. */
export type RunJob = <Job extends ReadJob>(job: Job) => Promise<ReadResults[Job['kind']]>

/**
 * Reads all that a plan matches as chunks of NDJSON lines, a slice at a time. Between slices nothing is held but numbers: neither a
 * thread, nor a state of the database, which would keep the log from being shortened for as long as somebody reads slowly. `hold` hears
 * how many bytes the numbers take, and refuses by throwing.
 */
export async function* exportStream(
  run: RunJob,
  plan: QueryPlan,
  hold: (bytes: number) => void,
): AsyncGenerator<Uint8Array, void> {
  const start = await run({ kind: 'export-begin', plan })
  if (start.candidates.kind === 'numbers') hold(start.candidates.numbers.byteLength)
  const isSorted = plan.sort.length > 0
  const ordered = isSorted ? { ...start, candidates: await inOrder(run, plan, start, hold) } : start
  yield* slices(run, plan, ordered, 'lines')
}

/** The numbers of all that matches, in the order of the plan. */
async function inOrder(
  run: RunJob,
  plan: QueryPlan,
  start: ExportStart,
  hold: (bytes: number) => void,
): Promise<Candidates> {
  const parts: Uint8Array[] = []
  for await (const part of slices(run, plan, start, 'keys')) {
    hold(part.byteLength)
    parts.push(part)
  }
  return { kind: 'numbers', numbers: await run({ kind: 'export-order', parts }) }
}

async function* slices(
  run: RunJob,
  plan: QueryPlan,
  { candidates, changes }: ExportStart,
  makes: SliceMakes,
): AsyncGenerator<Uint8Array, void> {
  for (let left: Candidates | null = candidates; left !== null; ) {
    const from: ExportStart = { candidates: firstOf(left), changes }
    const slice: ReadResults['export-slice'] = await run({ kind: 'export-slice', plan, from, makes })
    if (slice.bytes.length > 0) yield slice.bytes
    left = restOf(left, from.candidates, slice.left)
  }
}

/** Most numbers that a slice is given: more than it gets through would be copied in vain. */
const NUMBERS_OF_A_SLICE = 4096

function firstOf(left: Candidates): Candidates {
  if (left.kind === 'walk') return left
  return { kind: 'numbers', numbers: left.numbers.slice(0, NUMBERS_OF_A_SLICE) }
}

/** What is left when a slice was given some and has left some of these. */
function restOf(left: Candidates, given: Candidates, unread: Candidates | null): Candidates | null {
  if (left.kind === 'walk' || given.kind === 'walk') return unread
  const used = given.numbers.length - (unread?.kind === 'numbers' ? unread.numbers.length : 0)
  return used >= left.numbers.length ? null : { kind: 'numbers', numbers: left.numbers.subarray(used) }
}
