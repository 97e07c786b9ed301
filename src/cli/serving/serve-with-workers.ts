import cluster from 'node:cluster'
import { compose } from '../../app/compose.ts'
import { firstStart } from '../../app/first-start.ts'
import { createLog } from '../../app/log.ts'
import { openServices } from '../../app/open-services.ts'
import { prepareBank } from '../../app/recompute-data.ts'
import type { Config } from '../../app/settings.ts'
import { VERSION } from '../../kernel/project-files.ts'
import { print } from '../console/output.ts'
import { CLI_EVENTS } from './events.ts'
import { firstStartNotice, listen, localUrl, stopSignal, tellFailure, urlOf } from './listen.ts'
import { relayBetweenWorkers, workerPeers } from './peers.ts'
import { STOP, WorkerProcesses, type WorkersStart } from './worker-processes.ts'

/** Time limit of handing connections out when workers are busy or gone; workers then finish in the rest of 9 s. */
const HAND_OUT_MS = 7000

/**
 * Serves from several processes on one address and one database. This one brings the data up to date, makes the first user
 * and minds the others; it answers no request and keeps nothing open.
 */
export async function serveWithWorkers(config: Config): Promise<void> {
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
    log.tell(CLI_EVENTS.serverStarted, { version: VERSION })
    const signal = await Promise.race([stopped, workers.lost])
    log.tell(CLI_EVENTS.serverStopping, { reason: signal })
    print(`${signal}: finishing the requests under way`)
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
    const url = urlOf(config.host, start.port)
    // After listening: a start that fails for its port must not use up the only time that the password is shown.
    await firstStart(services, config, (user) => print(firstStartNotice(config.publicUrl || localUrl(url), user)))
    print(`listening on ${url}`)
    if (config.publicUrl !== '') print(`reached at ${config.publicUrl}/`)
    return start
  } finally {
    await services.close()
  }
}

/**
 * Connections that the system has taken up wait here until a worker gets them. One more of our own is behind them all: when that is
 * answered, they have been given out.
 */
async function handOutWaiting(url: string): Promise<void> {
  const signal = AbortSignal.timeout(HAND_OUT_MS)
  await fetch(`${localUrl(url)}/healthz`, { headers: { connection: 'close' }, signal }).catch(() => {})
}

/** Serves as one of several processes until this one, or the one that minds them, is told to stop. */
export async function serveAsWorker(config: Config): Promise<void> {
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
