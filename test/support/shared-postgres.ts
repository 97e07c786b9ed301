import { missingPostgres, sharePostgres } from './postgres.ts'

/** Before the first file that needs PostgreSQL, and after the last one. */
export async function setup(): Promise<(() => Promise<void>) | undefined> {
  if (missingPostgres() !== null) return undefined
  const server = await sharePostgres(process.env)
  return () => server.stop()
}
