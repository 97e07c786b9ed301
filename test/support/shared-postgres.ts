import { missingPostgres, startPostgres, type TestServer } from './postgres.ts'

let server: TestServer | null = null

/** Where a run is for PostgreSQL alone, all of its files share one server; else each that needs one starts its own. */
export async function setup(): Promise<void> {
  const isAsked = process.env['STORES'] === 'postgres' && process.env['QUARRY_TEST_DATABASE_URL'] === undefined
  if (!isAsked || missingPostgres() !== null) return
  server = await startPostgres()
  process.env['QUARRY_TEST_DATABASE_URL'] = server.url
}

export async function teardown(): Promise<void> {
  await server?.stop()
}
