import type { Expected } from '../corpus/expected.ts'
import { encodeRequest, runLoad } from '../load/loader.ts'
import { residentMegabytes, startCpuClock } from '../load/process-figures.ts'
import { type RunningServer, startServer } from '../load/server-process.ts'
import { settle } from '../load/settle.ts'
import type { BenchOptions } from '../options.ts'
import type { Contestant } from '../servers/contestant.ts'
import { type BenchDocument, type FreshWorkload, type ListWorkload, listsOf, type Workload } from '../workloads.ts'
import { findFault, findFaultInRecord } from './check-answers.ts'
import { type Measurement, measurementOf, type Refusal } from './measurement.ts'

/** The right answers that a contestant is held to. */
export interface RightAnswers {
  readonly lists: ReadonlyMap<string, Expected>
  readonly records: readonly BenchDocument[]
}

/** What one start of one server showed. */
export interface ServerRound {
  readonly contestant: string
  readonly startMs: number
  readonly residentMegabytes: { readonly afterStart: number; readonly afterLoad: number; readonly peak: number }
  readonly measurements: readonly Measurement[]
  readonly refusals: readonly Refusal[]
}

/** How many requests a measurement has; chosen in the first round and kept, so that rounds can be compared. */
export type RequestCounts = Map<string, number>

/** Long enough for Quarry to read the columns and merge the segments that are asked for, also on a busy machine. */
const UNTIL_READY_MS = 2500
const WARM_UP_MS = 700
const MOST_WARM_UP_REQUESTS = 20_000
const FEWEST_REQUESTS = 10
/** How often lists are asked that warm a server up for others. */
const WARMING_TIMES = 20

/** One round of measurements. */
export interface Round {
  readonly number: number
  readonly options: BenchOptions
  readonly counts: RequestCounts
}

/** A server that is being measured: what it is, where it runs, what it should answer. */
interface Trial {
  readonly contestant: Contestant
  readonly server: RunningServer
  readonly right: RightAnswers
  readonly round: Round
}

/** Starts a server, holds it to the right answers, measures every workload that it passes, and stops it. */
export async function measureServer(
  contestant: Contestant,
  workloads: readonly Workload[],
  right: RightAnswers,
  round: Round,
): Promise<ServerRound> {
  const server = await startServer(contestant.command)
  const trial: Trial = { contestant, server, right, round }
  try {
    const afterStart = residentMegabytes(server.pid).now
    const measurements: Measurement[] = []
    const refusals: Refusal[] = []
    for (const workload of workloads.filter(({ kind }) => kind !== 'fresh' || contestant.role !== 'peer')) {
      const about = { contestant: contestant.name, workload: workload.id }
      if (workload.kind === 'fresh') {
        const outcome = await measureFresh(trial, workload)
        if ('fault' in outcome) refusals.push({ ...about, fault: outcome.fault })
        else measurements.push(outcome)
        continue
      }
      const fault = await faultOf(trial, workload)
      if (fault === null) {
        const requests = requestsOf(trial, workload)
        const count = await warmUp(trial, requests, workload.id)
        measurements.push(await measure(trial, requests, count, workload.id))
      } else refusals.push({ ...about, fault })
    }
    const { now, peak } = residentMegabytes(server.pid)
    const residentMemory = { afterStart, afterLoad: now, peak }
    return {
      contestant: contestant.name,
      startMs: server.startMs,
      residentMegabytes: residentMemory,
      measurements,
      refusals,
    }
  } finally {
    await server.stop()
  }
}

/** Times lists that were not asked before; what they answer is compared afterwards, and before it for those that warm the server up. */
async function measureFresh(
  trial: Trial,
  { id, warming, timed }: FreshWorkload,
): Promise<Measurement | { readonly fault: string }> {
  const { pids, port } = trial.server
  const requests = (lists: readonly ListWorkload[]) => lists.flatMap((list) => requestsOf(trial, list))
  const askAll = (lists: readonly ListWorkload[], times: number) =>
    runLoad({ port, requests: requests(lists), connections: 1, count: times * lists.length })
  for (const list of warming) {
    const fault = await faultOf(trial, list)
    if (fault !== null) return { fault: `${list.id}: ${fault}` }
  }
  await askAll(warming, WARMING_TIMES)
  await settle(pids)
  await askAll(warming, 1)
  const cpu = startCpuClock(pids)
  const result = await askAll(timed, 1)
  const measurement = measurementOf(aboutOf(trial, id), result, cpu())
  for (const list of timed) {
    const fault = await faultOf(trial, list)
    if (fault !== null) return { fault: `${list.id}: ${fault}` }
  }
  return measurement
}

function aboutOf({ contestant, round }: Trial, workload: string) {
  return { contestant: contestant.name, workload, round: round.number }
}

async function faultOf({ contestant, server, right }: Trial, workload: Workload): Promise<string | null> {
  const { port } = server
  for (const list of listsOf(workload)) {
    const fault = await findFault(contestant, port, list, right.lists.get(list.id)?.documents ?? [])
    if (fault !== null) return fault
  }
  if (workload.kind !== 'read') return null
  for (const document of right.records) {
    const fault = await findFaultInRecord(contestant, port, document)
    if (fault !== null) return fault
  }
  return null
}

function requestsOf({ contestant, right }: Trial, workload: Workload): readonly Buffer[] {
  if (workload.kind === 'read') return right.records.map(({ _id }) => encodeRequest(contestant.read(_id)))
  return listsOf(workload).flatMap((list) => {
    const request = contestant.list(list)
    return request === null ? [] : [encodeRequest(request)]
  })
}

/** Lets the server compile and read what is hot, waits until that is done, and finds how many requests fill the time of a measurement. */
async function warmUp(
  { contestant, server: { pids, port }, round }: Trial,
  requests: readonly Buffer[],
  workload: string,
): Promise<number> {
  const { requests: most, seconds, connections } = round.options
  const { counts } = round
  const key = `${contestant.name} ${workload}`
  const askFor = (milliseconds: number) => {
    const until = AbortSignal.timeout(milliseconds)
    return runLoad({ port, requests, connections, count: MOST_WARM_UP_REQUESTS, until })
  }
  await askFor(UNTIL_READY_MS)
  await settle(pids)
  const warm = await askFor(WARM_UP_MS)
  const count = Math.round(Math.max(FEWEST_REQUESTS, Math.min(most, (seconds * warm.answered) / warm.seconds)))
  if (!counts.has(key)) counts.set(key, count)
  return counts.get(key) ?? count
}

async function measure(
  trial: Trial,
  requests: readonly Buffer[],
  count: number,
  workload: string,
): Promise<Measurement> {
  const { pids, port } = trial.server
  const { connections } = trial.round.options
  const cpu = startCpuClock(pids)
  const result = await runLoad({ port, requests, connections, count })
  return measurementOf(aboutOf(trial, workload), result, cpu())
}
