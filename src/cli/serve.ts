import cluster from 'node:cluster'
import { compose } from '../app/compose.ts'
import { firstStart } from '../app/first-start.ts'
import { prepareBank } from '../app/prepare-bank.ts'
import type { Config } from '../app/settings.ts'
import { VERSION } from '../app/version.ts'
import { CLI_EVENTS } from './events.ts'
import { firstStartNotice, localUrl } from './first-start-notice.ts'
import { listen } from './listen.ts'
import { keepHeapModest } from './modest-heap.ts'
import { print } from './output.ts'
import { stopSignal } from './stop-signal.ts'
import { tellFailure } from './tell-failure.ts'
import { serveAsWorker } from './workers/serve-as-worker.ts'
import { serveWithWorkers } from './workers/serve-with-workers.ts'

/** Serves until it is told to stop, then finishes what is under way and closes the store. */
export function serve(config: Config): Promise<void> {
  keepHeapModest()
  if (cluster.isWorker) return serveAsWorker(config)
  return config.workers > 1 ? serveWithWorkers(config) : serveAlone(config)
}

async function serveAlone(config: Config): Promise<void> {
  const stopped = stopSignal()
  const quarry = await compose(config)
  const { log } = quarry.services
  tellFailure(log)
  try {
    await prepareBank(quarry.services)
    const url = await listen(quarry, config)
    // After listening: a start that fails for its port must not use up the only time that the password is shown.
    await firstStart(quarry.services, config, (user) =>
      print(firstStartNotice(config.publicUrl || localUrl(url), user)),
    )
    print(`listening on ${url}`)
    if (config.publicUrl !== '') print(`reached at ${config.publicUrl}/`)
    log.tell(CLI_EVENTS.serverStarted, { version: VERSION })
    const signal = await stopped
    log.tell(CLI_EVENTS.serverStopping, { reason: signal })
    print(`${signal}: finishing the requests under way`)
  } finally {
    await quarry.close()
  }
}
