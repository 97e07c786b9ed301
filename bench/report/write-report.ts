import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { AskedWorkload } from '../never-asked.ts'
import { presentReport, type Report } from './markdown.ts'

/** Writes a run under its date, its commit, its size and what was asked for, as Markdown and as JSON; gives the names without their endings. */
export function writeReport(report: Report, workloads: readonly AskedWorkload[]): string {
  const { documents, only, results } = report.options
  mkdirSync(results, { recursive: true })
  const stamp = report.machine.date.slice(0, 16).replace('T', '-').replace(':', '')
  const name = join(results, [stamp, report.machine.commit.split(' ')[0], documents, ...only].join('-'))
  writeFileSync(`${name}.md`, `${presentReport(report, workloads)}\n`)
  writeFileSync(`${name}.json`, `${JSON.stringify(report, null, 2)}\n`)
  return name
}
