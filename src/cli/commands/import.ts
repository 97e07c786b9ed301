import { type Command, Option } from 'commander'
import type { Services } from '../../app/open-services.ts'
import { AppError } from '../../kernel/errors.ts'
import { inWordsOf, reportInWordsOf } from '../../page/remedies.ts'
import { type OpenExport, openExported } from '../../records/exchange/exported.ts'
import { countReport, noTotals } from '../../records/import/import-item.ts'
import { type ImportOptions, importRecords } from '../../records/import/import-records.ts'
import { readImportItems } from '../../records/import/read-import-items.ts'
import { UNPACK_LIMITS_OF_OPERATOR, unpackFiles } from '../../records/import/unpack-files.ts'
import { ON_DUPLICATE, type OnDuplicate } from '../../records/use-cases/write.ts'
import { ON_MATCH, type OnMatch } from '../../records/work/record-key.ts'
import { formatNames } from '../../structure/formats/registry.ts'
import { CLI_ERRORS } from '../console/errors.ts'
import { EXIT } from '../console/exit-code.ts'
import { importCalculations } from '../console/import-calculations.ts'
import { importExported } from '../console/import-exported.ts'
import {
  countOf,
  type EarlyEnd,
  type ImportRun,
  noOutcomes,
  printOutcomes,
  printPassedOver,
  printReport,
  printTotals,
} from '../console/import-output.ts'
import { ImportWarnings } from '../console/import-warnings.ts'
import { type InputFile, readInput } from '../console/input-file.ts'
import { untilInterrupted } from '../console/interruption.ts'
import { kindNamed, operatorSession } from '../console/operator-session.ts'
import { lowerPriority, print, startProgress, tell } from '../console/output.ts'
import { FRAME_FLAG, FRAME_HELP, parseFrames } from '../console/structure-input.ts'
import { type CandidateFile, findSources, type PassedOver, readSources } from '../console/structure-sources.ts'
import { type DataFlags, withDataFlags, withServices } from '../console/with-services.ts'

interface ImportFlags extends DataFlags {
  readonly user: string
  readonly account?: string
  readonly kind?: string
  readonly format?: string
  readonly frame?: number | 'all'
  readonly onDuplicate?: OnDuplicate
  readonly skipSame?: boolean
  readonly key?: string
  readonly onMatch?: OnMatch
  readonly finished?: boolean
  readonly public?: boolean
  readonly json?: boolean
}

/** Adds `quarry import`: files of records into a user's account. */
export function addImportCommand(program: Command): void {
  withDataFlags(program.command('import'))
    .description(
      `Store records from JSON or NDJSON files, materials from structure files (${formatNames()}), and calculations from the outputs ` +
        'of VASP, Quantum ESPRESSO, ASE or AiiDA and from JSON with results of pymatgen, the Materials Project, JARVIS or OPTIMADE; .gz, .zip and .tar.gz too. What the account has already is skipped, so an import that ' +
        'was interrupted is simply run again. What is refused does not stop the rest. A server over the same data goes first.',
    )
    .argument('<path...>', 'files to read, or directories for all that is below them; - is stdin')
    .requiredOption('--user <name>', 'who creates the records')
    .option('--account <name>', 'the account that they will belong to (default: the personal account of the user)')
    .option('--kind <kind>', 'what the records are, such as materials (default: told by their fields)')
    .option('--format <format>', 'format of the structure files (default: told by name and content)')
    .option(
      FRAME_FLAG,
      `${FRAME_HELP}. all: every one, as a material in an ordered set, which has the name of the file`,
      parseFrames,
    )
    .addOption(
      new Option(
        '--on-duplicate <what>',
        'content that the account has already: create stores it once more, return leaves what there is (counted as skipped), fail refuses it (default: what was imported before is left, other records with the same content are stored)',
      ).choices(ON_DUPLICATE),
    )
    .option(
      '--skip-same',
      'skip structures that are the same crystal as one of the account or one before, in any cell and with any origin',
    )
    .option(
      '--key <paths>',
      'fields, with commas between them, by whose values a record of the account is the one that is read: it becomes that, and no other is stored',
    )
    .addOption(
      new Option(
        '--on-match <what>',
        'with --key, what becomes of that record: replace makes it what is read, merge sets the fields that are read (default: replace)',
      ).choices(ON_MATCH),
    )
    .option('--finished', 'leave calculations whose output has no end, which may still run')
    .option('--no-symmetry', 'store materials without their space group, which is faster')
    .option('--public', 'let every account see the records (default: those that say isPublic)')
    .option('--json', 'print a JSON object for each record or structure file and one for the totals, each on a line')
    .action(importFiles)
}

async function importFiles(names: readonly string[], flags: ImportFlags): Promise<void> {
  const exports = await findExports(names, flags)
  const sources = findSources(
    names.filter((name) => !exports.some(({ path }) => path === name)),
    flags,
  )
  if (flags.key !== undefined && sources.structures.length > 0) {
    throw new AppError(CLI_ERRORS.usage, 'A structure file has no fields that could be a key.', {
      path: '--key',
      hint: 'Import structure files without --key.',
    })
  }
  lowerPriority()
  const json = flags.json === true
  const totals = noTotals()
  const passedOver = [...sources.passedOver]
  const calculations = noOutcomes()
  const files = noOutcomes()
  const warnings = new ImportWarnings()
  const tellTotals = (end?: EarlyEnd) => {
    if (!json) warnings.tellCounts()
    printTotals({ json, totals, isAll: countOf(calculations) === 0 }, end)
    printOutcomes('calculations', calculations, json)
    printOutcomes('files', files, json)
  }
  const tellHowFar = () => {
    tellTotals('interrupted')
    tell('Run the same again to go on.')
  }
  const importAll = async (services: Services): Promise<number> => {
    const options = optionsOf(services, flags)
    const session = await operatorSession(services.accounts, flags.user, flags.account)
    const run = { records: services.records, session, options, json, totals, warnings }
    try {
      for (const exported of exports) await importExported(exported, { ...run, files })
      const taken = await importCalculations(sources, {
        ...run,
        calculations,
        passedOver,
        finished: flags.finished === true,
        intent: flags,
      })
      const broken = await importEach(
        sources.records.filter(({ name }) => !taken.has(name)),
        run,
      )
      const structures = sources.structures.filter(({ path }) => !taken.has(path))
      await importStructures(structures, { ...run, passOver: (one) => passedOver.push(one) }, flags)
      return broken
    } catch (error) {
      tellTotals('broken')
      throw error
    } finally {
      for (const exported of exports) exported.close()
    }
  }
  const broken = await untilInterrupted(tellHowFar, () => withServices(flags, importAll))
  printPassedOver(passedOver, json)
  tellTotals()
  const isIncomplete = passedOver.some(({ isRefused }) => isRefused === true)
  const refused = totals.refused + calculations.refused + files.refused
  if (broken > 0 || refused > 0 || isIncomplete) process.exitCode = EXIT.failed
}

/** Finds the exports among what is to be imported, which are imported as wholes. */
async function findExports(
  names: readonly string[],
  { format, frame, key }: ImportFlags,
): Promise<readonly OpenExport[]> {
  const exports = (await Promise.all(names.map(openExported))).filter((one) => one !== null)
  const [flag] = Object.entries({ format, frame, key }).flatMap(([name, value]) => (value === undefined ? [] : [name]))
  if (exports.length === 0 || flag === undefined) return exports
  throw new AppError(CLI_ERRORS.usage, `${exports[0]?.path} is an export, of which --${flag} says nothing.`, {
    path: `--${flag}`,
    hint: `Import it without --${flag}.`,
  })
}

/** Imports file after file; gives how many could not be read to their end. What came before that is stored. */
async function importEach(files: readonly InputFile[], run: ImportRun): Promise<number> {
  let broken = 0
  for (const file of files) {
    try {
      await importFile(file, run)
    } catch (error) {
      // A file at fault does not concern the others; a store at fault does.
      if (!(error instanceof AppError) || error.status >= 500) throw error
      tell(`${file.name}: ${inWordsOf('cli', error).message}`)
      broken += 1
    }
  }
  return broken
}

async function importFile(
  file: InputFile,
  { records, session, options, json, totals, warnings }: ImportRun,
): Promise<void> {
  const progress = startProgress(file.name)
  const chunks = readInput(file, (bytes) => progress.update(bytes, file.bytes))
  const items = readImportItems(chunks, records.work.limits.bytes)
  try {
    for await (const told of importRecords(records, session, items, options)) {
      const result = reportInWordsOf('cli', told)
      countReport(totals, result)
      if (json) print(JSON.stringify({ file: file.name, ...result }))
      else printReport(`${file.name}:${result.line}`, result, warnings)
    }
  } finally {
    progress.end()
  }
}

type StructureImport = ImportRun & { readonly passOver: (one: PassedOver) => void }

/** Imports structure files, all in one go: they are written in batches. */
async function importStructures(
  sources: readonly CandidateFile[],
  { records, session, options, json, totals, warnings, passOver }: StructureImport,
  { format, frame }: ImportFlags,
): Promise<void> {
  const progress = startProgress('structures')
  const files = unpackFiles(readSources(sources, passOver), UNPACK_LIMITS_OF_OPERATOR)
  const given = {
    ...(options.isPublic ? { isPublic: true } : {}),
    ...(options.onDuplicate === undefined ? {} : { onDuplicate: options.onDuplicate }),
    ...(options.skipSame ? { skipSame: true } : {}),
    ...(format === undefined ? {} : { format }),
    ...(frame === undefined ? {} : { frame }),
  }
  let done = 0
  let frames = 0
  try {
    for await (const { collection: _collection, ...told } of importRecords(records, session, files, given)) {
      const report = reportInWordsOf('cli', told)
      countReport(totals, report)
      const { file, frame } = report
      if (report.frames !== undefined) frames = report.frames
      if (frame === undefined) progress.update(++done, sources.length)
      else progress.update(frame + 1, frames)
      if (json) print(JSON.stringify(report))
      else printReport(frame === undefined ? String(file) : `${file}#${frame}`, report, warnings)
    }
  } finally {
    progress.end()
  }
}

function optionsOf(
  services: Services,
  { kind: collection, public: isPublic, onDuplicate, skipSame, key, onMatch = 'replace' }: ImportFlags,
): ImportOptions {
  const kind = collection === undefined ? {} : { kind: kindNamed(services, collection) }
  return {
    ...kind,
    keepsIds: true,
    ...(isPublic ? { isPublic } : {}),
    ...(onDuplicate === undefined ? {} : { onDuplicate }),
    ...(skipSame ? { skipSame } : {}),
    ...(key === undefined ? {} : { key: { paths: key.split(','), onMatch } }),
  }
}
