import type { Expected } from '../corpus/expected.ts'
import { encodeRequest, runLoad } from '../load/loader.ts'
import { residentMegabytes, startCpuClock } from '../load/process-figures.ts'
import { type RunningServer, startServer } from '../load/server-process.ts'
import { settle } from '../load/settle.ts'
import { type AskedWorkload, judgedListsOf, type NeverAsked } from '../never-asked.ts'
import type { BenchOptions } from '../options.ts'
import type { Contestant } from '../servers/contestant.ts'
import { type BenchDocument, LIMIT, type ListWorkload, PAGES } from '../workloads.ts'
import { findFault, findFaultInRecord } from './check-answers.ts'
import { type Measurement, measurementOf, type Refusal } from './measurement.ts'

/** The right answers that a contestant is held to. */
export interface RightAnswers {
  readonly lists: ReadonlyMap<string, Expected>
  /** Read by id, over and over. */
  readonly records: readonly BenchDocument[]
  /** Read once each. */
  readonly newRecords: readonly BenchDocument[]
}

/** What one start of one server showed. */
export interface ServerRound {
  readonly contestant: string
  readonly startMs: number
  readonly residentMegabytes: { readonly afterStart: number; readonly afterLoad: number; readonly peak: number }
  readonly measurements: readonly Measurement[]
  readonly refusals: readonly Refusal[]
}

/** Compiles what is hot: as many requests for each server, however fast the machine is. Peers are a hundred times slower. */
export const WARM_UP = 2500
const SHARE_FOR_PEERS = 1 / 50

/** A server that is being measured: what it is, where it runs, what it should answer. */
interface Trial {
  readonly contestant: Contestant
  readonly server: RunningServer
  readonly right: RightAnswers
  readonly options: BenchOptions
}

/** Starts a server, holds it to the right answers, measures every workload that it passes, and stops it. */
export async function measureServer(
  contestant: Contestant,
  workloads: readonly AskedWorkload[],
  right: RightAnswers,
  options: BenchOptions,
): Promise<ServerRound> {
  const server = await startServer(contestant.command)
  const trial: Trial = { contestant, server, right, options }
  try {
    const afterStart = residentMegabytes(server.pid).now
    const measurements: Measurement[] = []
    const refusals: Refusal[] = []
    for (const workload of workloads) {
      if (isNeverAsked(workload) && (contestant.role === 'peer' || contestant.role === 'repeated')) continue
      const outcome = isNeverAsked(workload)
        ? await measureNeverAsked(trial, workload)
        : await measureRepeated(trial, workload)
      if ('fault' in outcome) refusals.push(outcome)
      else measurements.push(outcome)
    }
    const { now, peak } = residentMegabytes(server.pid)
    return {
      contestant: contestant.name,
      startMs: server.startMs,
      residentMegabytes: { afterStart, afterLoad: now, peak },
      measurements,
      refusals,
    }
  } finally {
    await server.stop()
  }
}

function isNeverAsked(workload: AskedWorkload): workload is NeverAsked {
  return workload.kind === 'new lists' || workload.kind === 'new records'
}

/** Times what has been asked before, once the answers are right. */
async function measureRepeated(trial: Trial, workload: AskedWorkload): Promise<Measurement | Refusal> {
  const fault = await faultOf(trial, workload)
  if (fault !== null) return { ...aboutOf(trial, workload), fault }
  const requests = requestsFor(trial, workload)
  await ask(trial, requests, WARM_UP)
  await settle(trial.server.pids)
  return timed(trial, workload, requests, trial.options.requests)
}

/**
 * Times what was not asked before, after other questions of the same form, and with its documents in memory, where their ids have brought them; what it
 * answers is compared afterwards. A floor, and a script that is told what to fetch, remember nothing, and know no other answers.
 */
async function measureNeverAsked(trial: Trial, workload: NeverAsked): Promise<Measurement | Refusal> {
  const requests = requestsFor(trial, workload)
  const isFloor = trial.contestant.role === 'floor'
  await ask(trial, isFloor ? requests : warmingRequests(trial, workload), WARM_UP)
  if (!isFloor) {
    const pages = documentPages(trial, workload)
    await ask(trial, pages, pages.length)
  }
  await settle(trial.server.pids)
  const measurement = await timed(trial, workload, requests, isFloor ? trial.options.requests : requests.length)
  const fault = await faultOf(trial, workload)
  return fault === null ? measurement : { ...aboutOf(trial, workload), fault }
}

function aboutOf({ contestant }: Trial, { id }: AskedWorkload) {
  return { contestant: contestant.name, workload: id }
}

async function faultOf({ contestant, server, right }: Trial, workload: AskedWorkload): Promise<string | null> {
  const { port } = server
  for (const list of judgedListsOf(workload)) {
    const fault = await findFault(contestant, port, list, right.lists.get(list.id)?.documents ?? [])
    if (fault !== null) return fault
  }
  for (const document of recordsFor(right, workload)) {
    const fault = await findFaultInRecord(contestant, port, document)
    if (fault !== null) return fault
  }
  return null
}

/** The records that a workload reads by id. */
export function recordsFor(right: RightAnswers, { kind }: AskedWorkload): readonly BenchDocument[] {
  if (kind === 'new records') return right.newRecords
  return kind === 'read' ? right.records : []
}

function requestsFor({ contestant, right }: Trial, workload: AskedWorkload): readonly Buffer[] {
  const reads = recordsFor(right, workload).map(({ _id }) => encodeRequest(contestant.read(_id)))
  return [...reads, ...judgedListsOf(workload).map((list) => encodeRequest(contestant.list(list)))]
}

function warmingRequests({ contestant, right }: Trial, workload: NeverAsked): readonly Buffer[] {
  if (workload.kind === 'new lists') return workload.warming.map((list) => encodeRequest(contestant.list(list)))
  return right.records.map(({ _id }) => encodeRequest(contestant.read(_id)))
}

/** The documents that a workload will answer with, asked for by their ids. */
function documentPages({ contestant, right }: Trial, workload: NeverAsked): readonly Buffer[] {
  const pageOf = (documents: readonly BenchDocument[], projection: ListWorkload['projection']) =>
    encodeRequest(contestant.list({ query: { _id: { $in: documents.map(({ _id }) => _id) } }, projection }))
  if (workload.kind === 'new lists') {
    return workload.timed.map(({ id, projection }) => pageOf(right.lists.get(id)?.documents ?? [], projection))
  }
  const pages = Math.ceil(right.newRecords.length / LIMIT)
  return Array.from({ length: pages }, (_, at) =>
    pageOf(right.newRecords.slice(at * LIMIT, (at + 1) * LIMIT), PAGES.whole),
  )
}

function ask({ contestant, server: { port }, options }: Trial, requests: readonly Buffer[], times: number) {
  const count = Math.ceil(contestant.role === 'peer' ? times * SHARE_FOR_PEERS : times)
  return runLoad({ port, requests, connections: options.connections, count })
}

async function timed(
  trial: Trial,
  workload: AskedWorkload,
  requests: readonly Buffer[],
  times: number,
): Promise<Measurement> {
  const cpu = startCpuClock(trial.server.pids)
  const result = await ask(trial, requests, times)
  return measurementOf(aboutOf(trial, workload), result, cpu())
}
