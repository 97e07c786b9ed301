import type { Command } from 'commander'
import { type DataMigrated, migrateData, readDataPlace } from '../../app/migrate-data.ts'
import { type ProgressBar, print, printJson, startProgress, tell } from '../console/output.ts'

interface MigrateFlags {
  readonly from: string
  readonly to: string
  readonly json?: boolean
}

const LABELS = { moving: 'moving', deriving: 'making segments', comparing: 'comparing' } as const

/** Adds `quarry migrate`: from a file to PostgreSQL and back. */
export function addMigrateCommand(program: Command): void {
  program
    .command('migrate')
    .description(
      'Move all data from one place to another, each a data directory or a PostgreSQL database: records with their earlier versions, removed ' +
        'records, users, accounts, tokens, the audit, and the order of all. No server may run on either. What was moved is compared with what ' +
        'there was, row by row, and nothing opens it before. When it is interrupted, run it again: it goes on where it was. The place that is ' +
        'moved from stays as it is. `quarry.json` and the kinds of a data directory are files beside the data, and yours to copy.',
    )
    .requiredOption(
      '--from <place>',
      'a data directory, or postgres://…, which may have a password; PGPASSWORD does too',
    )
    .requiredOption('--to <place>', 'the same; it has to be empty, or not to be there')
    .option(
      '--json',
      'print {"from", "to", "rows"} as JSON: of each kind of rows how many there are, and their SHA-256',
    )
    .action(migrate)
}

async function migrate({ from, to, json }: MigrateFlags): Promise<void> {
  const places = [readDataPlace(from, '--from'), readDataPlace(to, '--to')] as const
  let phase = ''
  let progress: ProgressBar | null = null
  const end = () => progress?.end()
  const moved = await migrateData(...places, {
    goesOn: (rows) => tell(`going on after ${rows} rows`),
    update(current, done, total) {
      if (phase !== current) {
        end()
        progress = startProgress(LABELS[current])
        phase = current
      }
      progress?.update(done, total)
    },
  }).finally(end)
  if (json) printJson(moved)
  else print(describe(moved))
}

function describe({ from, to, rows }: DataMigrated): string {
  const counted = Object.entries(rows).flatMap(([kind, { count }]) =>
    NOT_TOLD.includes(kind) ? [] : [`${count} of ${kind}`],
  )
  return `moved ${from} to ${to}: ${counted.join(', ')}; each row compared`
}

/** Internal rows, left out of the summary. */
const NOT_TOLD = ['key', 'given', 'usage']
