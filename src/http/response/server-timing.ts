import type { RunReport } from '../../store/port/run-report.ts'

/** Writes the time that a request has taken so far, and the stations of its query, for the developer tools of browsers. */
export function serverTiming(arrivedAt: number, report: RunReport | null): string {
  return timingOf(performance.now() - arrivedAt, report)
}

/** The same for a time that is known. */
export function timingOf(milliseconds: number, report: RunReport | null = null): string {
  const total = entry('total', milliseconds)
  if (report === null) return total
  const { homes, choose, documents } = report.stations
  return `thread;desc=${report.thread}, ${entry('homes', homes)}, ${entry('choose', choose)}, ${entry('documents', documents)}, ${total}`
}

function entry(name: string, milliseconds: number): string {
  return `${name};dur=${milliseconds.toFixed(2)}`
}
