import { cifFormat } from './cif.ts'
import type { FormatName, StructureFormat } from './format.ts'
import { poscarFormat } from './poscar.ts'
import { xyzFormat } from './xyz.ts'

/** All formats, the most telling first: detection by content asks them in this order. */
export const STRUCTURE_FORMATS: readonly StructureFormat[] = [cifFormat, poscarFormat, xyzFormat]

/** Looks a format up by the name that clients use, in any letter case. */
export function findFormat(name: string): StructureFormat | undefined {
  return STRUCTURE_FORMATS.find((format) => format.name === (name.toLowerCase() as FormatName))
}
