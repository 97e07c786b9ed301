import { type DestinationStream, destination, pino, stdSerializers, stdTimeFunctions } from 'pino'
import { type Clock, systemClock } from '../kernel/clock.ts'
import type { Log, LogLevel } from '../kernel/log.ts'

/** Lines of one event that may come at once, and how long it takes until there may be one more. */
const AT_ONCE = 60
const INTERVAL_MS = 1000

/** Keeps whoever causes the same event again and again from filling the disk with it. */
interface LineBudget {
  /** Null when a line of the event is too many; else how many were left out since the last one that was not. */
  take(event: string): number | null
}

interface Meter {
  /** Time at which all lines so far are forgiven. */
  emptyAt: number
  leftOut: number
}

/** Makes a budget for each event by itself: a leaky bucket, one number an event. */
function lineBudget(clock: Clock): LineBudget {
  const meters = new Map<string, Meter>()
  return {
    take(event) {
      const now = clock()
      const meter = meters.get(event) ?? { emptyAt: now, leftOut: 0 }
      meters.set(event, meter)
      // A clock that was put back must not silence the log until it is where it was.
      const emptyAt = Math.min(Math.max(meter.emptyAt, now), now + AT_ONCE * INTERVAL_MS)
      meter.emptyAt = emptyAt
      if (emptyAt + INTERVAL_MS > now + AT_ONCE * INTERVAL_MS) {
        meter.leftOut += 1
        return null
      }
      const { leftOut } = meter
      meter.emptyAt = emptyAt + INTERVAL_MS
      meter.leftOut = 0
      return leftOut
    },
  }
}

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
