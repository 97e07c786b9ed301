import type { OutputFormat } from '../calculation.ts'
import { aiidaDatabaseFormat } from '../databases/aiida-database.ts'
import { aseDatabaseFormat } from '../databases/ase-database.ts'
import { aiidaExportFormat } from '../readers/aiida-export.ts'
import { aseJsonFormat } from '../readers/ase-json.ts'
import { entriesFormat } from '../readers/entries.ts'
import { pwOutputFormat } from '../readers/espresso/pw-output.ts'
import { pwXmlFormat } from '../readers/espresso/pw-xml.ts'
import { extendedXyzFormat } from '../readers/extended-xyz.ts'
import { jarvisFormat } from '../readers/jarvis.ts'
import { materialsProjectFormat } from '../readers/materials-project.ts'
import { optimadeResultsFormat } from '../readers/optimade.ts'
import { recordKeys } from '../readers/records/record-keys.ts'
import { oszicarFormat } from '../readers/vasp/oszicar.ts'
import { outcarFormat } from '../readers/vasp/outcar/outcar.ts'
import { vasprunFormat } from '../readers/vasp/vasprun/vasprun.ts'

/** Outputs that are read, in the order in which they are asked whether a file is theirs. Of those of one run, the first says more. */
export const OUTPUT_FORMATS: readonly OutputFormat[] = [
  vasprunFormat,
  outcarFormat,
  oszicarFormat,
  pwXmlFormat,
  pwOutputFormat,
  extendedXyzFormat,
  aseJsonFormat,
  aseDatabaseFormat,
  aiidaDatabaseFormat,
  aiidaExportFormat,
  materialsProjectFormat,
  jarvisFormat,
  entriesFormat,
  optimadeResultsFormat,
]

/** The format whose files are called so. */
export function outputCalled(name: string): OutputFormat | null {
  return OUTPUT_FORMATS.find(({ fileNames }) => fileNames.test(name.replace(/\.gz$/i, ''))) ?? null
}

/** Tells of which format an output is, by its name or else by its first 64 KiB; null where it is none. What has a basis is a material, whatever fields of a database it has beside. */
export function detectOutput(name: string, head: string): OutputFormat | null {
  if (recordKeys(head).own.has('basis')) return null
  const plain = name.replace(/\.gz$/i, '')
  const fitting = OUTPUT_FORMATS.filter(({ recognizes }) => recognizes(head))
  return fitting.find(({ fileNames }) => fileNames.test(plain)) ?? fitting[0] ?? null
}
