import { type DestinationStream, destination, pino, stdSerializers, stdTimeFunctions } from 'pino'
import { type Clock, systemClock } from '../kernel/clock.ts'
import type { Log, LogLevel } from '../kernel/log.ts'
import { lineBudget } from './line-budget.ts'

/** Makes the log: one JSON object a line, on stderr, since stdout belongs to the results of commands. */
export function createLog(
  level: LogLevel | 'silent',
  stream: DestinationStream = standardError(),
  clock: Clock = systemClock,
): Log {
  const writer = pino(
    {
      level,
      base: { pid: process.pid },
      timestamp: stdTimeFunctions.isoTime,
      formatters: { level: (label) => ({ level: label }) },
      serializers: { err: stdSerializers.err },
    },
    stream,
  )
  // A setting has asked for such lines, whatever the level is.
  const asked = writer.child({}, { level: 'info' })
  const counts = new Map<string, number>()
  const budget = lineBudget(clock)
  return {
    counts,
    tell({ name, level, title, isAskedFor }, fields, cause) {
      counts.set(name, (counts.get(name) ?? 0) + 1)
      if (isAskedFor) {
        asked.info({ event: name, ...fields })
        return
      }
      if (!writer.isLevelEnabled(level)) return
      const leftOut = budget.take(name)
      if (leftOut === null) return
      const line: object = { event: name, ...fields, ...(leftOut === 0 ? {} : { leftOut }), err: cause }
      writer[level](line, title)
    },
  }
}

/** A reader of the log that has gone away, or a full disk under it, is no reason to stop serving. */
function standardError(): DestinationStream {
  const stream = destination({ fd: 2, sync: true })
  stream.on('error', () => {})
  return stream
}
