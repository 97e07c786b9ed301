import { readdirSync } from 'node:fs'
import { basename, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const SOURCE = fileURLToPath(new URL('../../src', import.meta.url))

/** A row of a catalogue, with the file that declares it, relative to `src`. */
export interface Declared<Spec> {
  readonly file: string
  /** As the program names it: `STORE_ERRORS.foreignFile`. */
  readonly constant: string
  readonly spec: Spec
}

/** Collects what every file of a name declares, in the constants whose names end so: `errors.ts` and `_ERRORS`. */
export async function declaredIn<Spec>(fileName: string, ending: string): Promise<readonly Declared<Spec>[]> {
  const files = readdirSync(SOURCE, { recursive: true, encoding: 'utf8' })
    .filter((file) => basename(file) === fileName)
    .sort()
  const rows = await Promise.all(files.map((file) => rowsOf<Spec>(file, ending)))
  return rows.flat()
}

async function rowsOf<Spec>(file: string, ending: string): Promise<Declared<Spec>[]> {
  const exported = (await import(join(SOURCE, file))) as Record<string, Record<string, Spec>>
  return Object.entries(exported)
    .filter(([name]) => name.endsWith(ending))
    .flatMap(([catalogue, specs]) =>
      Object.entries(specs).map(([key, spec]) => ({
        file: file.replaceAll('\\', '/'),
        constant: `${catalogue}.${key}`,
        spec,
      })),
    )
}
