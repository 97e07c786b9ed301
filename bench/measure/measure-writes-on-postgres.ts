import { chmodSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { startPostgresIn } from '../../test/support/postgres-process.ts'
import { type DataSet, type FilledStore, fillStore, type LoadFigures } from '../corpus/data-set.ts'
import { documentMaker, type Recipe } from '../corpus/documents.ts'
import { POSTGRES_SETTINGS } from '../corpus/postgres-data-set.ts'
import { startServer } from '../load/server-process.ts'
import { settle } from '../load/settle.ts'
import { quarryOver } from '../servers/quarry.ts'
import { type CreateFigures, createBodies, measureCreates } from './measure-writes.ts'

/** What writing to PostgreSQL costs; processor time is that of node and of PostgreSQL together. */
export interface PostgresWriteFigures {
  readonly load: LoadFigures
  readonly create: CreateFigures
}

/** More would take long and show nothing else. */
const MOST_LOADED = 100_000

/** Fills a new database with a part of the data set, through the port, creates materials in it over HTTP, and throws it away. */
export async function measureWritesOnPostgres(dataSet: DataSet, recipe: Recipe): Promise<PostgresWriteFigures> {
  const { file, documents, dataDirectory } = dataSet
  const folder = mkdtempSync(join(dirname(file), 'writes-'))
  // The server is another user.
  chmodSync(folder, 0o755)
  const directory = join(folder, 'server')
  mkdirSync(directory)
  const database = await startPostgresIn(directory, { settings: POSTGRES_SETTINGS, isKept: true })
  try {
    const filled = await fillStore(file, database.url, {
      seed: recipe.seed,
      most: Math.min(documents, MOST_LOADED),
    })
    const { credentials, load }: FilledStore = JSON.parse(filled)
    const quarry = quarryOver({
      dataDirectory,
      credentials,
      caches: false,
      symmetry: false,
      serveArguments: [],
      database,
    })
    const server = await startServer(quarry.command)
    try {
      const { warming, timed } = createBodies(documentMaker(recipe), documents)
      await measureCreates(server, credentials, warming)
      await settle(server.pids)
      return { load, create: await measureCreates(server, credentials, timed) }
    } finally {
      await server.stop()
    }
  } finally {
    await database.stop()
    rmSync(folder, { recursive: true, force: true })
  }
}
