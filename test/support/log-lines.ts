import { createLog } from '../../src/app/log.ts'
import { type Clock, systemClock } from '../../src/kernel/clock.ts'
import type { Log, LogLevel } from '../../src/kernel/log.ts'

/** A line of the log, as whoever reads the log gets it. */
export type LogLine = Readonly<Record<string, unknown>>

/** The log of a server, with its lines kept instead of written to stderr. */
export function logToLines(
  level: LogLevel | 'silent' = 'debug',
  clock: Clock = systemClock,
): { readonly log: Log; readonly lines: LogLine[] } {
  const lines: LogLine[] = []
  const log = createLog(level, { write: (line: string) => lines.push(JSON.parse(line)) }, clock)
  return { log, lines }
}
