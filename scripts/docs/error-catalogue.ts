import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { ErrorSpec } from '../../src/kernel/errors.ts'

const SOURCE = fileURLToPath(new URL('../../src', import.meta.url))

/** One row of the catalogue, and the file that declares it, relative to `src`. */
export interface CatalogueRow extends ErrorSpec {
  readonly file: string
}

/** Collects what every `errors.ts` of the project declares, by code. */
export async function readCatalogue(): Promise<readonly CatalogueRow[]> {
  const files = readdirSync(SOURCE, { recursive: true, encoding: 'utf8' }).filter((file) =>
    /(^|[\\/])errors\.ts$/.test(file),
  )
  const rows = await Promise.all(files.filter((file) => !file.startsWith('kernel')).map(rowsOf))
  return rows.flat().sort((a, b) => a.code - b.code)
}

async function rowsOf(file: string): Promise<CatalogueRow[]> {
  const exported = (await import(join(SOURCE, file))) as Record<string, Record<string, ErrorSpec>>
  return Object.entries(exported)
    .filter(([name]) => name.endsWith('_ERRORS'))
    .flatMap(([, specs]) => Object.values(specs))
    .map(({ code, title }) => ({ code, title, file: file.replaceAll('\\', '/') }))
}
