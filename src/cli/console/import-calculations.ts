import { isLicensed } from '../../calculations/runs/runs-of-files.ts'
import { type CalculationReport, findRuns, importRun } from '../../records/calculations/import-run.ts'
import type { ImportRun, Outcomes } from './import-output.ts'
import { print, startProgress, tell, withHint } from './output.ts'
import { type RunFolder, runFolders } from './run-folders.ts'
import type { ImportSources, PassedOver } from './structure-sources.ts'

interface RunImport extends ImportRun {
  readonly calculations: Outcomes
  /** Files of the folders that are not kept are added. */
  readonly passedOver: PassedOver[]
}

/** Imports the folders that hold calculations, one after the other; gives the files that belong to them. */
export async function importCalculations(
  { records: ofRecords, structures }: ImportSources,
  run: RunImport,
): Promise<ReadonlySet<string>> {
  const folders = runFolders([...ofRecords.map(({ name }) => name), ...structures.map(({ path }) => path)])
  const taken = new Set<string>()
  const progress = startProgress('calculations')
  let done = 0
  try {
    for (const folder of folders) {
      for (const path of await importFolder(folder, run)) taken.add(path)
      progress.update(++done, folders.length)
    }
  } finally {
    progress.end()
  }
  return taken
}

/** Gives the files that belong to calculations, and need not be looked at once more. */
async function importFolder(
  { folder, files }: RunFolder,
  { records, session, options, json, calculations, passedOver }: RunImport,
): Promise<readonly string[]> {
  const place = { deps: records, session }
  const { runs } = await findRuns(place, files)
  for (const run of runs) {
    for (const report of await importRun(place, run, files, { isPublic: options.isPublic === true })) {
      calculations[report.outcome] += 1
      if (json) print(JSON.stringify({ folder, ...report }))
      else printRun(folder, report)
    }
  }
  const ofRuns = new Set(runs.flatMap((run) => run.files))
  const licensed = runs.length === 0 ? [] : files.filter(({ name }) => !ofRuns.has(name) && isLicensed(name))
  for (const { path } of licensed) passedOver.push({ path, reason: LICENSED })
  return [...files.filter(({ name }) => ofRuns.has(name)), ...licensed].map(({ path }) => path)
}

const LICENSED = 'since potentials of VASP are not to be handed on; their titles are kept'

/** Says of each calculation what was made of it. */
function printRun(
  folder: string,
  { file, outcome, jobId, materials = [], properties = [], leftOut = [], error, warnings = [] }: CalculationReport,
): void {
  const place = `${folder}/${file}`
  if (error !== undefined) print(`${place}: ${withHint({ ...error.data, message: error.message })}`)
  if (outcome !== 'stored') return
  const names = materials.map(({ name, isNew }) => (isNew ? name : `${name} (there already)`)).join(' → ')
  const rest =
    leftOut.length === 0 ? '' : `; ${leftOut.length} other things that it says are named in leftOut of the job`
  print(`${place}: ${names}, job ${jobId}, ${properties.length} properties${rest}`)
  const [first, ...others] = warnings
  if (first === undefined) return
  tell(`${place}: ${first}${others.length === 0 ? '' : ` (and ${others.length} more, which --json prints)`}`)
}
