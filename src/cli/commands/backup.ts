import { existsSync, lstatSync, readdirSync, rmSync, statSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { type Command, InvalidArgumentError, Option } from 'commander'
import { type BackedUp, backUpData, type DeletedFiles, pruneContents } from '../../app/backup-data.ts'
import { describeFaults } from '../../app/data-files.ts'
import { AppError } from '../../kernel/errors.ts'
import type { Store } from '../../store/port/store.ts'
import { CLI_ERRORS } from '../console/errors.ts'
import { EXIT } from '../console/exit-code.ts'
import { isDirectory } from '../console/input-file.ts'
import { print, printJson, tell, withPhases } from '../console/output.ts'
import { type DataFlags, withDataFlags, withServices } from '../console/with-services.ts'

const DAY_MS = 86_400_000

/** Backups in one directory that are named by the time at which they were begun: `quarry-2026-01-31T020000Z.db`. */
export class BackupSeries {
  readonly #directory: string
  readonly #name: string

  /** `name` has letters, digits, `.`, `_` and `-` only. */
  constructor(directory: string, name: string) {
    this.#directory = directory
    this.#name = name
  }

  fileAt(now: number): string {
    const stamp = new Date(now).toISOString().replace(/:|\.\d+/g, '')
    return join(this.#directory, `${this.#name}-${stamp}.db`)
  }

  /** Deletes backups of the series but the newest and `latest`, and parts of interrupted ones older than a day; tells which. */
  prune(keep: number, latest: string, now: number): readonly string[] {
    const backups = this.#filesNamed('\\.db').reverse()
    const outdated = backups.filter((file) => file !== latest).slice(Math.max(0, keep - 1))
    const broken = this.#filesNamed('\\.db\\.[0-9a-f-]{36}\\.partial').filter(
      (file) => now - lstatSync(file).mtimeMs > DAY_MS,
    )
    const deleted = [...outdated, ...broken]
    for (const file of deleted) rmSync(file)
    return deleted
  }

  /** Whole paths of files, not of links, in the order of their times. */
  #filesNamed(ending: string): string[] {
    const prefix = this.#name.replaceAll('.', '\\.')
    const pattern = new RegExp(`^${prefix}-\\d{4}-\\d{2}-\\d{2}T\\d{6}Z${ending}$`)
    return readdirSync(this.#directory, { withFileTypes: true })
      .filter((entry) => entry.isFile() && pattern.test(entry.name))
      .map(({ name }) => join(this.#directory, name))
      .sort()
  }
}

interface BackupFlags extends DataFlags {
  readonly force?: boolean
  readonly keep?: number
  readonly name: string
  readonly json?: boolean
}

/** Adds `quarry backup`: a consistent copy, taken while others read and write. */
export function addBackupCommand(program: Command): void {
  withDataFlags(program.command('backup'))
    .description(
      'Write a consistent copy of all data to one file, also while servers run, of a PostgreSQL database too: it is the file of a data directory. ' +
        'The copy is verified, every page and every checksum, before it appears under its name. The files of records go into the folder ' +
        'quarry-files beside it, which all backups of a directory share: those that are there are not copied again, each is verified ' +
        'while it is copied, and what was interrupted goes on with the next backup.',
    )
    .argument('<file>', 'the file to write; in a directory that exists, one that is named by the time')
    .option('--force', 'replace the file if it exists')
    .addOption(
      new Option(
        '--keep <n>',
        'of the backups of that name in the directory, keep the newest n; delete the others, and the files that no backup there lists any more',
      ).argParser(readCount),
    )
    .addOption(new Option('--name <text>', 'what such files begin with').default('quarry').argParser(readName))
    .option('--json', 'print {"file", "bytes", "files"}, with --keep also {"deleted", "deletedFiles"}, as JSON')
    .action(backup)
}

async function backup(path: string, flags: BackupFlags): Promise<void> {
  const place = resolve(path)
  const series = isDirectory(place) ? new BackupSeries(place, flags.name) : null
  if (flags.keep !== undefined && series === null) {
    throw new AppError(CLI_ERRORS.usage, `--keep is for backups in a directory, and ${place} is none.`, {
      hint: 'Name a directory that exists.',
    })
  }
  const file = series?.fileAt(Date.now()) ?? place
  if (!flags.force && existsSync(file)) {
    throw new AppError(CLI_ERRORS.fileExists, `${file} exists already.`, {
      hint: 'Choose another name, or replace it with --force.',
    })
  }
  const backedUp = await withPhases(LABELS, (update) =>
    withServices(flags, async (services) => {
      const done = await backUpData(services, file, update)
      await noteBackup(services.store, file)
      return done
    }),
  )
  const { faults } = backedUp.copied
  for (const fault of describeFaults(faults)) tell(fault)
  if (faults.length > 0) process.exitCode = EXIT.data
  const pruned = flags.keep === undefined || series === null ? null : await prune(series, flags.keep, file)
  const bytes = statSync(file).size
  if (flags.json) printJson({ file, bytes, files: countsOf(backedUp), ...pruned })
  else print([`wrote ${file} (${bytes} bytes)`, ...describeFiles(backedUp), ...describePruned(pruned)].join('\n'))
}

const LABELS = { data: 'backing up', files: 'copying files' } as const

interface Pruned {
  readonly deleted: readonly string[]
  readonly deletedFiles: DeletedFiles
}

async function prune(series: BackupSeries, keep: number, file: string): Promise<Pruned> {
  const deleted = series.prune(keep, file, Date.now())
  return { deleted, deletedFiles: await pruneContents(file) }
}

function countsOf({ count, bytes, copied }: BackedUp) {
  return { count, bytes, copied: copied.count, copiedBytes: copied.bytes, missing: copied.faults.length }
}

function describeFiles({ count, bytes, copied, folder }: BackedUp): readonly string[] {
  if (count === 0) return []
  return [`${count} files (${bytes} bytes) in ${folder}, of which ${copied.count} (${copied.bytes} bytes) were copied`]
}

function describePruned(pruned: Pruned | null): readonly string[] {
  if (pruned === null) return []
  const { count, bytes } = pruned.deletedFiles
  const files = count === 0 ? [] : [`deleted ${count} files (${bytes} bytes) that no backup lists`]
  return [...pruned.deleted.map((old) => `deleted ${old}`), ...files]
}

/** A store that takes no writes can be backed up all the same. */
async function noteBackup({ audit }: Store, file: string): Promise<void> {
  try {
    await audit.note({ action: 'store.backed-up', kind: 'store', object: null, details: { file } })
  } catch (error) {
    tell(`The audit could not be told of the backup: ${(error as Error).message}`)
  }
}

function readCount(text: string): number {
  if (/^[1-9]\d{0,5}$/.test(text)) return Number(text)
  throw new InvalidArgumentError('It must be a number from 1 on.')
}

function readName(text: string): string {
  if (/^[\w.-]{1,100}$/.test(text) && !text.startsWith('.')) return text
  throw new InvalidArgumentError('It may have letters, digits, ., _ and -, and must not begin with a dot.')
}
