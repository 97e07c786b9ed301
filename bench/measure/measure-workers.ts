import { join } from 'node:path'
import type { DataSet } from '../corpus/data-set.ts'
import { encodeRequest, runLoad, type WireRequest } from '../load/loader.ts'
import { startCpuClock } from '../load/process-figures.ts'
import { type ServerCommand, startServer } from '../load/server-process.ts'
import { settle } from '../load/settle.ts'
import { bareWorkers } from '../servers/floors.ts'
import { quarryOver } from '../servers/quarry.ts'
import type { ListWorkload } from '../workloads.ts'
import { type Answer, fetchAnswer } from './check-answers.ts'
import { WARM_UP } from './measure-server.ts'

/** Lists a second from one process, and from two over the same data. */
export interface WorkerRates {
  readonly one: number
  readonly two: number
}

export interface WorkerFigures extends WorkerRates {
  /** The same answers from bare `node:http`: what the machine, which the loader has a part of, lets two processes give. */
  readonly bare: WorkerRates
  /** The same, where each answer takes as much of a processor as one of Quarry's. */
  readonly laden: WorkerRates
}

/** Enough for two processes that never wait for the loader. */
const CONNECTIONS = 8

interface Asked {
  readonly rate: number
  /** CPU time of an answer. */
  readonly cpuMicros: number
}

/** Asks lists in turn of a server of one worker, and of one of two; then of floors with the same answers. */
export async function measureWorkers(dataSet: DataSet, lists: readonly ListWorkload[]): Promise<WorkerFigures> {
  const { credentials, dataDirectory } = dataSet
  const quarryOf = (workers: number) =>
    quarryOver({ ...dataSet, caches: false, symmetry: false, serveArguments: ['--workers', String(workers)] })
  const requests = lists.map(quarryOf(1).list)
  const ask = (workers: number, command: ServerCommand) => askOf(command, requests, workers * WARM_UP)
  const one = await ask(1, quarryOf(1).command)
  const two = await ask(2, quarryOf(2).command)

  const file = join(dataDirectory, '..', 'answers-of-workers.json')
  const floorOf = bareWorkers(file, credentials, await answersOf(quarryOf(1).command, requests))
  const bareOne = await ask(1, floorOf(1, 0))
  const bare = { one: bareOne.rate, two: (await ask(2, floorOf(2, 0))).rate }
  const beside = Math.max(0, Math.round(one.cpuMicros - bareOne.cpuMicros))
  const laden = { one: (await ask(1, floorOf(1, beside))).rate, two: (await ask(2, floorOf(2, beside))).rate }
  return { one: one.rate, two: two.rate, bare, laden }
}

async function askOf(command: ServerCommand, requests: readonly WireRequest[], count: number): Promise<Asked> {
  const { port, pids, stop } = await startServer(command)
  try {
    const ask = () => runLoad({ port, requests: requests.map(encodeRequest), connections: CONNECTIONS, count })
    await ask()
    await settle(pids)
    const cpu = startCpuClock(pids)
    const { answered, seconds } = await ask()
    return { rate: answered / seconds, cpuMicros: cpu() / answered }
  } finally {
    await stop()
  }
}

async function answersOf(
  command: ServerCommand,
  requests: readonly WireRequest[],
): Promise<ReadonlyMap<string, Answer>> {
  const { port, stop } = await startServer(command)
  try {
    const answers = new Map<string, Answer>()
    for (const request of requests) answers.set(request.target, await fetchAnswer(port, request))
    return answers
  } finally {
    await stop()
  }
}
