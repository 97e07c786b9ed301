import { type DestinationStream, destination, pino, stdSerializers, stdTimeFunctions } from 'pino'
import type { Log, LogLevel } from '../kernel/log.ts'

/** Makes the log: one JSON object a line, on stderr, since stdout belongs to the results of commands. */
export function createLog(level: LogLevel | 'silent', stream: DestinationStream = standardError()): Log {
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
  const counts = new Map<string, number>()
  return {
    counts,
    tell({ name, level, title }, fields, cause) {
      counts.set(name, (counts.get(name) ?? 0) + 1)
      if (!writer.isLevelEnabled(level)) return
      const line: object = { event: name, ...fields, err: cause }
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
