import { isLicensed } from '../../calculations/runs/runs-of-files.ts'
import { reportInWordsOf } from '../../page/remedies.ts'
import { type CalculationReport, findRuns, importRun } from '../../records/calculations/import-run.ts'
import { importArchive, type RunsReport, refusedArchive } from '../../records/calculations/import-runs.ts'
import { holdsFiles } from '../../records/import/archived-files.ts'
import type { ImportRun, Outcomes } from './import-output.ts'
import type { ImportWarnings } from './import-warnings.ts'
import { STDIN } from './input-file.ts'
import { print, startProgress, withHint } from './output.ts'
import { isOtherwiseMeant, type RunFolder, runFolders } from './run-folders.ts'
import type { ImportIntent, ImportSources, PassedOver } from './structure-sources.ts'

interface RunImport extends ImportRun {
  /** Leaves calculations whose output has no end. */
  readonly finished: boolean
  /** What flags say of all files. */
  readonly intent: ImportIntent
  readonly calculations: Outcomes
  /** Files of the folders that are not kept are added. */
  readonly passedOver: PassedOver[]
}

/** Imports the folders that hold calculations, one after the other; gives the files that belong to them. */
export async function importCalculations(
  { records: ofRecords, structures }: ImportSources,
  run: RunImport,
): Promise<ReadonlySet<string>> {
  const archives = structures.map(({ path }) => path).filter(holdsFiles)
  const paths = [...ofRecords.map(({ name }) => name), ...structures.map(({ path }) => path)]
  const folders = await runFolders(
    paths.filter((path) => path !== STDIN),
    run.intent,
  )
  const taken = new Set<string>()
  const progress = startProgress('calculations')
  let done = 0
  try {
    for (const folder of folders) {
      for (const path of await importFolder(folder, run)) taken.add(path)
      progress.update(++done, folders.length + archives.length)
    }
    for (const path of archives) {
      if (await importPacked(path, run)) taken.add(path)
      progress.update(++done, folders.length + archives.length)
    }
  } finally {
    progress.end()
  }
  return taken
}

/** Gives the files that belong to calculations, and need not be looked at once more. */
async function importFolder({ folder, files }: RunFolder, run: RunImport): Promise<readonly string[]> {
  const { records, session, options, passedOver, finished } = run
  const place = { deps: records, session }
  const { runs } = await findRuns(place, files)
  for (const found of runs) {
    const reports = await importRun(place, found, files, { isPublic: options.isPublic === true, folder, finished })
    for (const report of reports) printRun(folder, report, run)
  }
  const ofRuns = new Set(runs.flatMap((found) => found.files))
  const licensed = runs.length === 0 ? [] : files.filter(({ name }) => !ofRuns.has(name) && isLicensed(name))
  for (const { path } of licensed) passedOver.push({ path, reason: LICENSED })
  return [...files.filter(({ name }) => ofRuns.has(name)), ...licensed].map(({ path }) => path)
}

/** Tells whether an archive holds calculations, which are imported; any other is one of structures. */
async function importPacked(path: string, run: RunImport): Promise<boolean> {
  const { records, session, options, passedOver, finished, intent } = run
  const found = await importArchive(
    { deps: records, session },
    { name: path, path },
    { isPublic: options.isPublic === true, finished, looksIntoJson: !isOtherwiseMeant(intent) },
  ).catch(
    (error): RunsReport => ({ calculations: [refusedArchive(path, error)], unused: [], structures: [], licensed: [] }),
  )
  if (found === null || found.calculations.length === 0) return false
  const [licensed, structures] = [new Set(found.licensed), new Set(found.structures)]
  for (const report of found.calculations) printRun('', report, run)
  for (const name of found.unused) {
    passedOver.push({ path: name, reason: licensed.has(name) ? LICENSED : structures.has(name) ? PACKED : UNUSED })
  }
  return true
}

const UNUSED = 'of no calculation in its archive'
const PACKED = 'a structure of no calculation in its archive: unpack it to have it stored'
const UNFINISHED = 'since its output has no end: it may still be written'
const LICENSED = 'since potentials of VASP are not to be handed on; their titles are kept'

/** Says of a calculation what was made of it, and counts it. */
function printRun(
  folder: string,
  told: CalculationReport,
  { json, calculations, warnings, passedOver }: RunImport,
): void {
  const report = reportInWordsOf('cli', told)
  const place = folder === '' ? report.file : `${folder}/${report.file}`
  if (report.isUnfinished === true) {
    calculations.unfinished = (calculations.unfinished ?? 0) + 1
    passedOver.push({ path: place, reason: UNFINISHED })
  } else calculations[report.outcome] += 1
  if (json) print(JSON.stringify({ folder, ...report }))
  else printOutcome(place, report, warnings)
}

function printOutcome(
  place: string,
  { outcome, jobId, materials = [], properties = [], notKept = [], error, warnings = [] }: CalculationReport,
  noted: ImportWarnings,
): void {
  if (error !== undefined) print(`${place}: ${withHint({ ...error.data, message: error.message })}`)
  if (notKept.length > 0)
    noted.note(place, [
      `${notKept.join(', ')}: not with job ${jobId}, which was stored before. Send it to the job, or delete the job for good and import the folder again to have what it says.`,
    ])
  if (outcome !== 'stored') return
  const names = materials.map(({ name, isNew }) => (isNew ? name : `${name} (there already)`)).join(' → ')
  print(`${place}: ${names === '' ? 'no structure' : names}, job ${jobId}, ${properties.length} properties`)
  noted.note(place, warnings)
}
