import type { Log } from '../kernel/log.ts'
import { CLI_EVENTS } from './events.ts'

/** Has the log tell of what ends this process, before Node ends it with what it has to say, and exit code 1. */
export function tellFailure(log: Log): void {
  process.on('uncaughtExceptionMonitor', (error) => log.tell(CLI_EVENTS.processFailed, {}, error))
}
