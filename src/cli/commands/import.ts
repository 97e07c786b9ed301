import { type Command, Option } from 'commander'
import type { Session } from '../../accounts/session.ts'
import type { Services } from '../../app/open-services.ts'
import { AppError } from '../../kernel/errors.ts'
import type { ImportResult } from '../../records/import/import-item.ts'
import type { ImportOptions } from '../../records/import/prepare-item.ts'
import { readImportItems } from '../../records/import/read-import-items.ts'
import { importRecords } from '../../records/import-records.ts'
import { RECORD_KINDS } from '../../records/record-kinds.ts'
import { EXIT } from '../exit-code.ts'
import { findInputFile, type InputFile, readInput } from '../input-file.ts'
import { operatorSession } from '../operator-session.ts'
import { print, tell } from '../output.ts'
import { startProgress } from '../progress.ts'
import { type DataFlags, withDataFlags, withServices } from '../with-services.ts'

interface ImportFlags extends DataFlags {
  readonly user: string
  readonly kind?: string
  readonly public?: boolean
  readonly json?: boolean
}

type Tally = Record<ImportResult['outcome'], number>

/** Adds `quarry import`: files of records into a user's account. */
export function addImportCommand(program: Command): void {
  const kinds = RECORD_KINDS.map(({ collection }) => collection)
  withDataFlags(program.command('import'))
    .description(
      'Store records from JSON or NDJSON files, .gz too. What the account has already is skipped, so an import that was ' +
        'interrupted is simply run again. A record that is refused does not stop the others.',
    )
    .argument('<file...>', 'files to read; - is stdin')
    .requiredOption('--user <name>', 'the user whose personal account the records will belong to')
    .addOption(new Option('--kind <kind>', 'what the records are (default: told by their fields)').choices(kinds))
    .option('--public', 'let every account see the records (default: those that say isPublic)')
    .option('--json', 'print a JSON object for each record and one for the totals, each on a line')
    .action(importFiles)
}

async function importFiles(names: readonly string[], flags: ImportFlags): Promise<void> {
  const files = names.map(findInputFile)
  const tally: Tally = { stored: 0, skipped: 0, refused: 0 }
  const broken = await withServices(flags, async (services) => {
    const session = await operatorSession(services.accounts, flags.user)
    return importEach(files, services, session, flags, tally)
  })
  if (flags.json) print(JSON.stringify(tally))
  else print(`${tally.stored} stored, ${tally.skipped} skipped, ${tally.refused} refused`)
  if (broken > 0 || tally.refused > 0) process.exitCode = EXIT.failed
}

/** Imports file after file; gives how many could not be read to their end. What came before that is stored. */
async function importEach(
  files: readonly InputFile[],
  services: Services,
  session: Session,
  flags: ImportFlags,
  tally: Tally,
): Promise<number> {
  let broken = 0
  for (const file of files) {
    try {
      await importFile(file, services, session, flags, tally)
    } catch (error) {
      // A file at fault does not concern the others; a store at fault does.
      if (!(error instanceof AppError) || error.status >= 500) throw error
      tell(`${file.name}: ${error.message}`)
      broken += 1
    }
  }
  return broken
}

async function importFile(
  file: InputFile,
  { records }: Services,
  session: Session,
  flags: ImportFlags,
  tally: Tally,
): Promise<void> {
  const progress = startProgress(file.name)
  const chunks = readInput(file, (bytes) => progress.update(bytes, file.bytes))
  const items = readImportItems(chunks, records.limits?.bytes)
  try {
    for await (const result of importRecords(records, session, items, optionsOf(flags))) {
      tally[result.outcome] += 1
      if (flags.json) print(JSON.stringify({ file: file.name, ...result }))
      else if (result.error !== undefined) print(`${file.name}:${result.line}: ${result.error.message}`)
    }
  } finally {
    progress.end()
  }
}

function optionsOf({ kind: collection, public: isPublic }: ImportFlags): ImportOptions {
  const kind = RECORD_KINDS.find((candidate) => candidate.collection === collection)
  return { ...(kind === undefined ? {} : { kind }), ...(isPublic ? { isPublic } : {}) }
}
