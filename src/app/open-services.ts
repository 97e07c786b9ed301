import { availableParallelism } from 'node:os'
import { join, resolve } from 'node:path'
import { accountDeps } from '../accounts/deps.ts'
import type { HttpServices } from '../http/services.ts'
import { systemClock } from '../kernel/clock.ts'
import type { Log } from '../kernel/log.ts'
import { poolMetrics } from '../kernel/metrics.ts'
import { systemRandom } from '../kernel/names.ts'
import { Shares, Spending, TURNS, Turns } from '../kernel/turns.ts'
import type { Progress } from '../kernel/worker-channel.ts'
import { FileLinks } from '../records/file-links.ts'
import type { RecordKind } from '../records/record-kind.ts'
import { RecordThreads } from '../records/work/record-threads.ts'
import { Bucket } from '../store/files/bucket.ts'
import { BucketFiles } from '../store/files/bucket-files.ts'
import { DirectoryFiles } from '../store/files/directory-files.ts'
import { moveRows } from '../store/mover/move-rows.ts'
import type { FileStore } from '../store/port/file-store.ts'
import type { RowSource } from '../store/port/rows.ts'
import type { Store } from '../store/port/store.ts'
import { openPostgresStore } from '../store/postgres/open-postgres-store.ts'
import { writeBackup } from '../store/sqlite/care/back-up.ts'
import { DATABASE_FILE, openSqliteStore } from '../store/sqlite/open-sqlite-store.ts'
import { openNewFileTarget } from '../store/sqlite/rows/open-rows.ts'
import { createLog } from './log.ts'
import { readOperatorKinds } from './operator-kinds.ts'
import { ownActor, readEdition, readLinkKey } from './origin.ts'
import type { Config } from './settings.ts'

const MIB = 2 ** 20

/** In the data directory. */
const FILES_FOLDER = 'files'

/** The use cases with all that they need, over one open store. Whoever opens them closes them. */
export interface Services extends HttpServices {
  readonly store: Store
  close(): Promise<void>
}

export function databaseFile(config: Pick<Config, 'data'>): string {
  return join(config.data, DATABASE_FILE)
}

/** Where the contents of files are, in a data directory. */
export function filesFolder({ data }: Pick<Config, 'data'>): string {
  return join(data, FILES_FOLDER)
}

export type FilesConfig = Pick<
  Config,
  'data' | 'filesBucket' | 'filesBucketRegion' | 'filesBucketKeyId' | 'filesBucketSecret'
>

/** Opens the bucket that the settings name, or else the folder in the data directory. */
export function openFiles(config: FilesConfig): FileStore {
  const { filesBucket: url, filesBucketRegion: region, filesBucketKeyId: keyId, filesBucketSecret: secret } = config
  if (url === '') return new DirectoryFiles(filesFolder(config))
  return new BucketFiles(new Bucket({ url, region, keyId, secret }), filesFolder(config))
}

/** Opens the store, made where it is missing, and the use cases over it. Of several processes of a server, one tends the store. */
export async function openServices(
  config: Config,
  { via = 'command', tends = true, creates = true }: Opening = {},
): Promise<Services> {
  const log = createLog(config.logLevel)
  const operatorKinds = readOperatorKinds(config.data)
  const bytes = new Shares({ perUser: config.heldMbPerUser * MIB, inAll: config.heldMb * MIB })
  const spending = new Spending()
  const turns = new Turns({ ...TURNS, onSpent: spending.note })
  const store = await openStore(config, { via, tends, creates, bytes, spending, turns, log })
  const files = openFiles(config)
  const work = openWork(config, operatorKinds, { isServer: via === 'server', spending, log })
  return {
    store,
    log,
    answers: store.answers,
    bytes,
    spending,
    turns,
    accounts: accountDeps(store.accounts, { settings: config, log }),
    records: {
      store: store.records,
      files,
      links: new FileLinks(await readLinkKey(store), systemClock),
      accounts: store.accounts,
      log,
      clock: systemClock,
      random: systemRandom,
      work,
    },
    kinds: work.kinds,
    edition: await readEdition(store),
    metrics: () => [...store.metrics(), ...files.metrics(), ...poolMetrics('records', work.metrics)],
    ping: () => store.ping(),
    close: async () => {
      await work.close()
      await files.close()
      await store.close()
    },
  }
}

interface Opening {
  readonly via?: 'command' | 'server'
  readonly tends?: boolean
  /** Whether a database server that has no tables yet gets them. */
  readonly creates?: boolean
}

/** Memory for whole answers, which is part of the memory for reading. */
export function answersMb({ responseCacheMb, memoryMb }: Config): number {
  return Math.min(responseCacheMb, memoryMb / 2)
}

type OpenTerms = Required<Opening> & Pick<Services, 'bytes' | 'log' | 'spending' | 'turns'>

/** The database that the settings name, or else the file in the data directory. */
function openStore(config: Config, { via, tends, creates, bytes, spending, turns, log }: OpenTerms): Promise<Store> {
  const audit = { days: config.auditDays, rows: config.auditRows }
  const common = {
    timeBudgetMs: config.timeBudgetMs,
    slowQueryMs: config.slowQueryMs,
    memoryMb: config.memoryMb - answersMb(config),
    mostRevisions: config.recordRevisions,
    limits: { records: config.quotaRecords, bytes: config.quotaStoredMb * MIB },
    bytes,
    readerThreads: config.readerThreads,
    spending,
    self: ownActor(via),
    log,
  }
  if (config.databaseUrl !== '') {
    return openPostgresStore({
      ...common,
      url: config.databaseUrl,
      ...(config.databaseReplicaUrl === '' ? {} : { replicaUrl: config.databaseReplicaUrl }),
      creates,
      tends,
      turns,
      writeBackup: writePortableBackup,
      ...(via === 'server' ? { audit } : {}),
    })
  }
  return openSqliteStore({
    ...common,
    dataDirectory: config.data,
    tends,
    verifies: via === 'server',
    leastFreeBytes: config.freeSpaceMb * MIB,
    audit,
  })
}

/**
 * Number of threads that make records: a processor is left to those that read files, write and merge. A server has two at least, as a long task would
 * occupy a single one; to a command of one user a second takes memory and a fifth more processor time, and gives a tenth.
 */
export function recordThreads({ workerThreads }: Pick<Config, 'workerThreads'>, isServer: boolean): number {
  return workerThreads > 0 ? workerThreads : Math.max(isServer ? 2 : 1, availableParallelism() - 1)
}

function openWork(
  config: Config,
  operatorKinds: readonly RecordKind[],
  { isServer, spending, log }: { readonly isServer: boolean; readonly spending: Spending; readonly log: Log },
): RecordThreads {
  const threads = recordThreads(config, isServer)
  return new RecordThreads({
    threads,
    // A command has one user.
    threadsPerUser: isServer ? Math.max(1, threads - 1) : threads,
    operatorKinds,
    limits: { bytes: config.recordBytes, depth: config.recordDepth, leaves: config.recordLeaves },
    structureLimits: { textLength: config.structureLength, atoms: config.structureAtoms },
    symmetry:
      config.symmetry === 'on' ? { tolerance: config.symmetryTolerance, timeLimitMs: config.symmetryTimeMs } : null,
    timeLimitMs: config.recordTimeMs,
    onSpent: spending.note,
    log,
  })
}

/** Writes the rows of any store to a file that is a backup, and that a data directory can have as its database. */
function writePortableBackup(source: RowSource, file: string, progress: Progress): Promise<void> {
  const target = resolve(file)
  const write = async (partial: string): Promise<null> => {
    const rows = openNewFileTarget(partial, target)
    try {
      await moveRows(source, rows, { update: (_, done, total) => progress(done, total) })
    } finally {
      await rows.close()
    }
    return null
  }
  return writeBackup(target, write, progress)
}
