import { resolve } from 'node:path'
import { AppError } from '../kernel/errors.ts'
import { presenceOf } from '../kernel/file-fault.ts'
import { missingContents } from '../store/files/contents.ts'
import { DirectoryFiles } from '../store/files/directory-files.ts'
import { type MoveTerms, moveRows, type RowSums } from '../store/mover/move-rows.ts'
import type { ListedFiles } from '../store/port/named-files.ts'
import type { RowSource, RowTarget } from '../store/port/rows.ts'
import type { Store } from '../store/port/store.ts'
import { readListedFiles as readOfDatabase } from '../store/postgres/care/listed-files.ts'
import { openPostgresStore } from '../store/postgres/open-postgres-store.ts'
import { nameOfDatabase, openPostgresSource, openPostgresTarget } from '../store/postgres/rows/open-rows.ts'
import { readListedFiles as readOfFile } from '../store/sqlite/care/listed-files.ts'
import { openSqliteStore } from '../store/sqlite/open-sqlite-store.ts'
import { openSqliteSource, openSqliteTarget } from '../store/sqlite/rows/open-rows.ts'
import { isDatabaseUrl } from './config.ts'
import { type BroughtFiles, bringFiles, NO_FILES } from './data-files.ts'
import { APP_ERRORS } from './errors.ts'
import { databaseFile, filesFolder } from './open-services.ts'
import { newEdition, ownActor } from './origin.ts'

export type DataPlace =
  | { readonly kind: 'directory'; readonly path: string }
  | { readonly kind: 'database'; readonly url: string }

export interface DataMigrated {
  readonly from: string
  readonly to: string
  readonly rows: RowSums
  /** Files of the records that were moved; null where it is not known in which data directory they are, or are to be. */
  readonly files: BroughtFiles | null
}

/** Reads where data are: an address that begins with postgres:// is a database, whatever else has no :// is a directory. */
export function readDataPlace(text: string, flag: string): DataPlace {
  if (isDatabaseUrl(text)) return { kind: 'database', url: text }
  // Nothing of it is shown: it may have a password.
  if (text !== '' && !text.includes('://')) return { kind: 'directory', path: resolve(text) }
  throw new AppError(
    APP_ERRORS.invalidPlace,
    `${flag} is neither a data directory nor the address of a PostgreSQL database.`,
    {
      hint: 'Give a directory, as ./data, or an address, as postgres://quarry@db.lab.example/quarry.',
    },
  )
}

function nameOfPlace(place: DataPlace): string {
  return place.kind === 'directory' ? place.path : nameOfDatabase(place.url)
}

/** Where the files of both places are. */
export interface MigrationTerms extends Omit<MoveTerms, 'update'> {
  update?(phase: 'files' | 'moving' | 'deriving' | 'comparing', done: number, total: number): void
  /** The data directory that has the files of a place that is a database. */
  readonly dataOfDatabase?: string | undefined
}

/** Moves all data to a place that is empty or where it was interrupted. The new place begins another line of history than the old one. */
export async function migrateData(from: DataPlace, to: DataPlace, terms: MigrationTerms): Promise<DataMigrated> {
  if (nameOfPlace(from) === nameOfPlace(to)) {
    throw new AppError(APP_ERRORS.invalidPlace, `--from and --to are both ${nameOfPlace(from)}.`, {
      hint: 'Name two places.',
    })
  }
  const files = await moveFiles(from, to, terms)
  const source = await openSource(from)
  const rows = await moveAll(source, () => openTarget(to), terms)
  await noteMigration(to, source.name)
  return { from: nameOfPlace(from), to: nameOfPlace(to), rows, files }
}

/**
 * Copies the files of the records, before these, where both places are data directories, or have one; what is in the same one stays. What was interrupted goes
 * on when it is asked again: the records say then what is there already.
 */
async function moveFiles(
  from: DataPlace,
  to: DataPlace,
  { dataOfDatabase, update }: MigrationTerms,
): Promise<BroughtFiles | null> {
  await (await openSource(from)).close()
  const listed = await listedIn(from)
  if (listed.count === 0) return NO_FILES
  const [source, target] = [from, to].map((place) => (place.kind === 'directory' ? place.path : dataOfDatabase))
  if (source === undefined || target === undefined) return null
  await assertTakes(to)
  const files = new DirectoryFiles(filesFolder({ data: source }))
  try {
    if (resolve(source) === resolve(target)) {
      return { count: listed.count, bytes: listed.bytes, copied: 0, faults: await missingContents(files, listed) }
    }
    const progress = (done: number, total: number) => update?.('files', done, total)
    return await bringFiles(files, { files: new DirectoryFiles(filesFolder({ data: target })), data: target }, listed, {
      progress,
      takesPart: true,
    })
  } finally {
    await files.close()
  }
}

/** Refuses a place that has other data. */
async function assertTakes(to: DataPlace): Promise<void> {
  const target = await openTarget(to)
  try {
    await target.begun()
  } finally {
    await target.close()
  }
}

function listedIn(place: DataPlace): ListedFiles | Promise<ListedFiles> {
  return place.kind === 'directory' ? readOfFile(databaseFile({ data: place.path })) : readOfDatabase(place.url)
}

/** Moves all rows of a source, which is closed then, as is their target; what they become is another line of history. */
export async function moveAll(
  source: RowSource,
  open: () => Promise<RowTarget>,
  progress: MoveTerms,
): Promise<RowSums> {
  try {
    const target = await open()
    try {
      return await moveRows(source, target, { ...progress, marks: [newEdition()] })
    } finally {
      await target.close()
    }
  } finally {
    await source.close()
  }
}

async function openSource(place: DataPlace): Promise<RowSource> {
  if (place.kind === 'database') return openPostgresSource(place.url)
  if (presenceOf(databaseFile({ data: place.path })) === 'missing') {
    throw new AppError(APP_ERRORS.invalidPlace, `There is no database in ${place.path}.`, {
      hint: 'Name with --from the data directory of a server that has been started once, or the address of a database.',
    })
  }
  return openSqliteSource(place.path)
}

async function openTarget(place: DataPlace): Promise<RowTarget> {
  return place.kind === 'database' ? openPostgresTarget(place.url) : openSqliteTarget(place.path)
}

async function noteMigration(to: DataPlace, from: string): Promise<void> {
  const self = ownActor('command')
  const store: Store =
    to.kind === 'database'
      ? await openPostgresStore({ url: to.url, self, creates: false })
      : await openSqliteStore({ dataDirectory: to.path, self })
  try {
    await store.audit.note({ action: 'store.migrated', kind: 'store', object: null, details: { from } })
  } finally {
    await store.close()
  }
}
