import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Workload } from '../workloads.ts'
import { presentReport, type Report } from './markdown.ts'

const RESULTS = fileURLToPath(new URL('../results/', import.meta.url))

/** Writes a run under its date and size, as Markdown and as JSON; gives the names without their endings. */
export function writeReport(report: Report, workloads: readonly Workload[]): string {
  mkdirSync(RESULTS, { recursive: true })
  const stamp = report.machine.date.slice(0, 16).replace('T', '-').replace(':', '')
  const name = join(RESULTS, `${stamp}-${report.options.documents}`)
  writeFileSync(`${name}.md`, `${presentReport(report, workloads)}\n`)
  writeFileSync(`${name}.json`, `${JSON.stringify(report, null, 2)}\n`)
  return name
}
