import cluster from 'node:cluster'
import { setFlagsFromString } from 'node:v8'
import { compose } from '../../app/compose.ts'
import { firstStart } from '../../app/first-start.ts'
import { createLog } from '../../app/log.ts'
import { openServices, type Services } from '../../app/open-services.ts'
import { prepareBank } from '../../app/recompute-data.ts'
import type { Config } from '../../app/settings.ts'
import type { Log } from '../../kernel/log.ts'
import { VERSION } from '../../kernel/project-files.ts'
import { stepAhead } from '../../kernel/step-back.ts'
import { print } from '../console/output.ts'
import { CLI_EVENTS } from './events.ts'
import { firstStartNotice, listen, localUrl, stopSignal, tellFailure, urlOf } from './listen.ts'
import { relayBetweenWorkers, workerPeers } from './peers.ts'
import { STOP, WorkerProcesses, type WorkersStart } from './worker-processes.ts'

/** Serves until it is told to stop, then finishes what is under way and closes the store. */
export function serve(config: Config): Promise<void> {
  stepAhead()
  boundHeaps()
  if (cluster.isWorker) return serveAsWorker(config)
  return config.workers > 1 ? serveWithWorkers(config) : serveAlone(config)
}

/** Has heaps grow by a fifth between collections: as little memory as to favour size, which doubles the processor time of a list that is computed. */
function boundHeaps(): void {
  for (const flag of ['--no-optimize-for-size', '--max-semi-space-size=2', '--heap-growing-percent=20'])
    setFlagsFromString(flag)
}

async function serveAlone(config: Config): Promise<void> {
  const stopped = stopSignal()
  const quarry = await compose(config)
  const { log } = quarry.services
  tellFailure(log)
  try {
    await prepareBank(quarry.services)
    const url = await listen(quarry, config)
    await welcome(quarry.services, config, url)
    await tellUntil(stopped, log)
  } finally {
    await quarry.close()
  }
}

/** Makes what a first start makes, once the server listens: one that fails for its port must not use up the showing of the password. */
async function welcome(services: Services, config: Config, url: string): Promise<void> {
  await firstStart(services, config, (user) => print(firstStartNotice(config.publicUrl || localUrl(url), user)))
  print(`listening on ${url}`)
  if (config.publicUrl !== '') print(`reached at ${config.publicUrl}/`)
}

/** Tells the log that the server has started, and, when it is told to stop, that it does. */
async function tellUntil(stopped: Promise<NodeJS.Signals>, log: Log): Promise<void> {
  log.tell(CLI_EVENTS.serverStarted, { version: VERSION })
  const signal = await stopped
  log.tell(CLI_EVENTS.serverStopping, { reason: signal })
  print(`${signal}: finishing the requests under way`)
}

/** Time limit of handing connections out when workers are busy or gone; workers then finish in the rest of 9 s. */
const HAND_OUT_MS = 7000

/** Serves from several processes on one address; this one prepares the data, makes the first user and minds the others. */
async function serveWithWorkers(config: Config): Promise<void> {
  const stopped = stopSignal()
  relayBetweenWorkers()
  const log = createLog(config.logLevel)
  tellFailure(log)
  const workers = new WorkerProcesses(config.workers, log)
  let handingOutMs = 0
  try {
    const start = await startWorkers(workers, config)
    if ('exitCode' in start) {
      process.exitCode = start.exitCode
      return
    }
    await tellUntil(Promise.race([stopped, workers.lost]), log)
    const began = performance.now()
    await handOutWaiting(urlOf(config.host, start.port))
    handingOutMs = performance.now() - began
  } finally {
    await workers.stop(handingOutMs)
  }
}

/** Starts the workers, which share one port, also where the system chooses it, and then tells where they listen. */
async function startWorkers(workers: WorkerProcesses, config: Config): Promise<WorkersStart> {
  const services = await openServices(config, { via: 'server' })
  try {
    await prepareBank(services)
    const start = await workers.start()
    if ('exitCode' in start) return start
    await welcome(services, config, urlOf(config.host, start.port))
    return start
  } finally {
    await services.close()
  }
}

/** Waits until waiting connections were given to workers: one of our own is behind them all, and is answered after they were given out. */
async function handOutWaiting(url: string): Promise<void> {
  const signal = AbortSignal.timeout(HAND_OUT_MS)
  await fetch(`${localUrl(url)}/healthz`, { headers: { connection: 'close' }, signal }).catch(() => {})
}

/** Serves as one of several processes until this one, or the one that minds them, is told to stop. */
async function serveAsWorker(config: Config): Promise<void> {
  const stopped = Promise.race([stopSignal(), stopMessage()])
  try {
    const quarry = await compose(config, workerPeers())
    tellFailure(quarry.services.log)
    try {
      await listen(quarry, config)
      await stopped
    } finally {
      await quarry.close()
    }
  } finally {
    // The channel to the other process would keep this one alive.
    cluster.worker?.disconnect()
  }
}

function stopMessage(): Promise<void> {
  return new Promise((resolve) => {
    process.on('message', (message) => {
      if (message === STOP) resolve()
    })
  })
}
