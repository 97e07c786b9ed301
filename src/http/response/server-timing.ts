import type { RunReport } from '../../store/port/run-report.ts'

/** Writes the time that a request has taken so far, and the stations of its query, for the developer tools of browsers. */
export function serverTiming(arrivedAt: number, report: RunReport | null): string {
  const total = entry('total', performance.now() - arrivedAt)
  if (report === null) return total
  const stations = Object.entries(report.stations).map(([name, milliseconds]) => entry(name, milliseconds))
  return [`plan;desc=${report.plan}`, ...stations, total].join(', ')
}

function entry(name: string, milliseconds: number): string {
  return `${name};dur=${milliseconds.toFixed(2)}`
}
