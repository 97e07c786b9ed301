import type { Session } from '../../accounts/session.ts'
import type { ImportReport, ImportTotals } from '../../records/import/import-item.ts'
import type { ImportOptions } from '../../records/import/import-records.ts'
import type { RecordDeps } from '../../records/work/deps.ts'
import type { ImportWarnings } from './import-warnings.ts'
import { print, tell, withHint } from './output.ts'
import type { PassedOver } from './structure-sources.ts'

/** An import under way. */
export interface ImportRun {
  readonly records: RecordDeps
  readonly session: Session
  readonly options: ImportOptions
  readonly json: boolean
  readonly totals: ImportTotals
  readonly warnings: ImportWarnings
}

/** Calculations, or files of an export, by what came of them. */
export interface Outcomes {
  stored: number
  skipped: number
  refused: number
  /** Calculations whose outputs have no end, and that were left. */
  unfinished?: number
}

export function noOutcomes(): Outcomes {
  return { stored: 0, skipped: 0, refused: 0 }
}

export function countOf({ stored, skipped, refused, unfinished = 0 }: Outcomes): number {
  return stored + skipped + refused + unfinished
}

/** Says of calculations, or of files of an export, what came of them. */
export function printOutcomes(what: 'calculations' | 'files', outcomes: Outcomes, json: boolean): void {
  if (countOf(outcomes) === 0) return
  const { stored, skipped, refused, unfinished = 0 } = outcomes
  const left = unfinished === 0 ? '' : `, ${unfinished} without an end`
  if (json) print(JSON.stringify({ [what]: outcomes }))
  else {
    print(`${what}: ${stored} stored, ${skipped} skipped, ${refused} refused${left}`)
    if (skipped > 0) tell(`What was skipped was there already.`)
    if (what === 'calculations' && stored > 0) tell(FOLLOWS)
  }
}

const FOLLOWS =
  'What an output says beside is named in leftOut of its job. A server computes formation energies and energies above the hull within ten minutes.'

/** More of them are told by `--json` alone. */
const MOST_TOLD = 20

/** Names what lies in the directories and was not read, each with the reason. */
export function printPassedOver(passedOver: readonly PassedOver[], json: boolean): void {
  if (json) {
    for (const { path, reason } of passedOver) print(JSON.stringify({ file: path, outcome: 'passed-over', reason }))
    return
  }
  for (const { path, reason } of passedOver.slice(0, MOST_TOLD)) tell(`${path}: passed over, ${reason}`)
  const more = passedOver.length - MOST_TOLD
  if (more > 0) tell(`and ${more} more were passed over, ${passedOver.length} in all; --json names each`)
}

/** Prints the reason of a refusal, and notes the warnings. */
export function printReport(
  place: string,
  { error, sameAs: [same] = [], warnings = [] }: ImportReport,
  noted: ImportWarnings,
): void {
  if (same !== undefined) print(`${place}: the same crystal as ${same._id}, rms ${same.rms} Å, strain ${same.strain}`)
  if (error !== undefined) print(`${place}: ${withHint({ ...error.data, message: error.message })}`)
  noted.note(place, warnings)
}

/** Ways in which an import ends before its end: by a store that takes no more, or by who has begun it. */
export type EarlyEnd = 'broken' | 'interrupted'

/** Counts of records; `isAll`: there is nothing else to count. */
interface Totals extends Pick<ImportRun, 'json' | 'totals'> {
  readonly isAll: boolean
}

/** The last line of the result, also of an import that ends early. Who has imported calculations alone is not told of no records. */
export function printTotals({ json, totals, isAll }: Totals, end?: EarlyEnd): void {
  const { stored, updated = 0, skipped, refused } = totals
  if (json) print(JSON.stringify(end === undefined ? totals : { outcome: end, ...totals }))
  else if (isAll || end !== undefined || stored + updated + skipped + refused > 0) {
    print(`${end === undefined ? '' : ENDINGS[end]}${describe(totals)}`)
  }
}

const ENDINGS: Readonly<Record<EarlyEnd, string>> = { broken: 'broken off: ', interrupted: 'interrupted: ' }

function describe({ stored, updated, skipped, refused, withoutSymmetry }: ImportTotals): string {
  const without = withoutSymmetry === 0 ? '' : ` (${withoutSymmetry} of them without symmetry)`
  const changed = updated === undefined ? '' : `, ${updated} updated`
  return `${stored} stored${without}${changed}, ${skipped} skipped, ${refused} refused`
}
