import type { ErrorSpec } from '../../src/kernel/errors.ts'
import { declaredIn } from './declared-in.ts'

/** One row of the catalogue, and the file that declares it, relative to `src`. */
export interface CatalogueRow extends ErrorSpec {
  readonly file: string
}

/** Collects what every `errors.ts` of the project declares, by code. */
export async function readCatalogue(): Promise<readonly CatalogueRow[]> {
  const rows = await declaredIn<ErrorSpec>('errors.ts', '_ERRORS')
  return rows.map(({ file, spec: { code, title } }) => ({ code, title, file })).sort((a, b) => a.code - b.code)
}
