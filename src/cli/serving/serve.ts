import cluster from 'node:cluster'
import { setFlagsFromString } from 'node:v8'
import { compose } from '../../app/compose.ts'
import { firstStart } from '../../app/first-start.ts'
import { prepareBank } from '../../app/recompute-data.ts'
import type { Config } from '../../app/settings.ts'
import { VERSION } from '../../kernel/project-files.ts'
import { stepAhead } from '../../kernel/step-back.ts'
import { print } from '../console/output.ts'
import { CLI_EVENTS } from './events.ts'
import { firstStartNotice, listen, localUrl, stopSignal, tellFailure } from './listen.ts'
import { serveAsWorker, serveWithWorkers } from './serve-with-workers.ts'

/**
 * Has garbage collected early, and by the thread that made it. V8 lets the heap of each thread grow to four times of what is in use where memory is
 * plenty: of seven threads that is hundreds of megabytes of nothing. To collect early costs up to a quarter more processor time where much is created.
 * Where processors are short, a thread that V8's own ones help with its young objects waits for them: they do not help, and step back.
 */
function tuneCollector(): void {
  setFlagsFromString('--optimize-for-size')
  setFlagsFromString('--no-parallel-scavenge')
  stepAhead()
}

/** Serves until it is told to stop, then finishes what is under way and closes the store. */
export function serve(config: Config): Promise<void> {
  tuneCollector()
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
