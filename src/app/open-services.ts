import { join } from 'node:path'
import { accountDeps } from '../accounts/deps.ts'
import type { HttpServices } from '../http/services.ts'
import { systemClock } from '../kernel/clock.ts'
import { poolFigures } from '../kernel/figures.ts'
import { systemRandom } from '../kernel/ids.ts'
import { RECORD_KINDS } from '../records/record-kinds.ts'
import type { Store } from '../store/port/store.ts'
import { DATABASE_FILE, openSqliteStore } from '../store/sqlite/open-sqlite-store.ts'
import { openSymmetryService } from '../structure/symmetry/symmetry-service.ts'
import { readEdition } from './edition.ts'
import { createLog } from './log.ts'
import { readOperatorKinds } from './operator-kinds.ts'
import { ownActor } from './origin.ts'
import type { Config } from './settings.ts'

/** The use cases with all that they need, over one open store. Whoever opens them closes them. */
export interface Services extends HttpServices {
  readonly store: Store
  close(): Promise<void>
}

/** Where the database is. */
export function databaseFile(config: Pick<Config, 'data'>): string {
  return join(config.data, DATABASE_FILE)
}

/**
 * Opens the store in the data directory, which is made when it is not there, and puts the use cases on top of it. A server tends
 * the indexes; a command has better things to do.
 */
export async function openServices(
  config: Config,
  { tendsIndexes = false, via = 'command' }: { tendsIndexes?: boolean; via?: 'command' | 'server' } = {},
): Promise<Services> {
  const log = createLog(config.logLevel)
  const operatorKinds = readOperatorKinds(config.data)
  const store = await openSqliteStore({
    dataDirectory: config.data,
    timeBudgetMs: config.timeBudgetMs,
    slowQueryMs: config.slowQueryMs,
    pageCacheMb: config.pageCacheMb,
    readerThreads: config.readerThreads,
    mostRevisions: config.recordRevisions,
    compoundIndexes: config.compoundIndexes,
    tendsIndexes,
    audit: { days: config.auditDays, rows: config.auditRows },
    self: ownActor(via),
    log,
  })
  const symmetry = config.symmetry === 'on' ? openSymmetryService({ log }) : undefined
  return {
    store,
    log,
    accounts: accountDeps(store.accounts, { settings: config, log }),
    records: {
      store: store.records,
      accounts: store.accounts,
      log,
      clock: systemClock,
      random: systemRandom,
      structureLimits: { textLength: config.structureLength, atoms: config.structureAtoms },
      symmetry,
      limits: { bytes: config.recordBytes, depth: config.recordDepth, leaves: config.recordLeaves },
    },
    kinds: [...RECORD_KINDS, ...operatorKinds],
    edition: await readEdition(store),
    figures: () => [...store.figures(), ...(symmetry === undefined ? [] : poolFigures('symmetry', symmetry.figures))],
    changeMark: () => store.changeMark(),
    ping: () => store.ping(),
    close: async () => {
      await symmetry?.close()
      await store.close()
    },
  }
}
