import type { Command } from 'commander'
import { type BroughtFiles, describeFaults } from '../../app/data-files.ts'
import { type DataMigrated, migrateData, readDataPlace } from '../../app/migrate-data.ts'
import { print, printJson, tell, withPhases } from '../console/output.ts'

interface MigrateFlags {
  readonly from: string
  readonly to: string
  readonly data?: string
  readonly json?: boolean
}

const LABELS = {
  files: 'copying files',
  moving: 'moving',
  deriving: 'making segments',
  comparing: 'comparing',
} as const

/** Adds `quarry migrate`: from a file to PostgreSQL and back. */
export function addMigrateCommand(program: Command): void {
  program
    .command('migrate')
    .description(
      'Move all data from one place to another, each a data directory or a PostgreSQL database: records with their earlier versions, removed ' +
        'records, users, accounts, tokens, the audit, and the order of all. No server may run on either. What was moved is compared with what ' +
        'there was, row by row, and nothing opens it before. When it is interrupted, run it again: it goes on where it was. The place that is ' +
        'moved from stays as it is. The files of records are copied first, each verified, where both places have a data directory. `quarry.json` ' +
        'and the kinds of a data directory are files beside the data, and yours to copy.',
    )
    .requiredOption(
      '--from <place>',
      'a data directory, or postgres://…, which may have a password; PGPASSWORD does too',
    )
    .requiredOption('--to <place>', 'the same; it has to be empty, or not to be there')
    .option('--data <dir>', 'the data directory in which the files of records are of a place that is a database')
    .option(
      '--json',
      'print {"from", "to", "rows", "files"} as JSON: of each kind of rows how many there are, and their SHA-256',
    )
    .action(migrate)
}

async function migrate({ from, to, data, json }: MigrateFlags): Promise<void> {
  const places = [readDataPlace(from, '--from'), readDataPlace(to, '--to')] as const
  const goesOn = (rows: number) => tell(`going on after ${rows} rows`)
  const moved = await withPhases(LABELS, (update) => migrateData(...places, { goesOn, update, dataOfDatabase: data }))
  const { files, ...rest } = moved
  if (files === null) tell('The files of records were not moved: --data names the data directory of the database.')
  for (const fault of describeFaults(files?.faults ?? [])) tell(fault)
  if (json) printJson({ ...rest, files: countsOf(files) })
  else print(describe(moved))
}

function countsOf(files: BroughtFiles | null) {
  if (files === null) return null
  const { count, bytes, copied, faults } = files
  return { count, bytes, copied, missing: faults.length }
}

function describe({ from, to, rows, files }: DataMigrated): string {
  const counted = Object.entries(rows).flatMap(([kind, { count }]) =>
    NOT_TOLD.includes(kind) ? [] : [`${count} of ${kind}`],
  )
  const ofFiles = files === null || files.count === 0 ? [] : [`${files.count} files (${files.copied} copied)`]
  return `moved ${from} to ${to}: ${[...counted, ...ofFiles].join(', ')}; each row compared`
}

/** Internal rows, left out of the summary. */
const NOT_TOLD = ['key', 'given', 'usage']
