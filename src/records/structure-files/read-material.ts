import { createHash } from 'node:crypto'
import type { Json, JsonObject } from '../../kernel/json.ts'
import type { Crystal } from '../../structure/crystal.ts'
import type { FormatName } from '../../structure/formats/common/format.ts'
import { crystalToMaterial } from '../../structure/formats/json/material.ts'
import { readStructure, type StructureReading } from '../../structure/formats/read-structure.ts'
import type { StructureFile } from './structure-file.ts'

/** A structure file read into what a material has of it. */
export interface ReadMaterial {
  readonly format: FormatName
  readonly crystal: Crystal
  /** The fields that describe the structure; the name is the file's title, else the formula. */
  readonly material: JsonObject
}

/** Reads a structure file; refuses with place and advice what cannot be kept as it is. */
export function readMaterial(file: StructureFile): ReadMaterial {
  const { format, crystal } = readCrystal(file)
  return { format, crystal, material: crystalToMaterial(crystal) }
}

/** Reads a structure file; what a material of it would have is not asked. */
export function readCrystal(file: StructureFile): StructureReading {
  const { text, format: formatName, fileName, frame, limits } = file
  return readStructure(text, {
    ...(formatName === undefined ? {} : { format: formatName }),
    ...(fileName === undefined ? {} : { fileName }),
    ...(frame === undefined ? {} : { frame }),
    ...(limits === undefined ? {} : { limits }),
  })
}

/** The file itself, as records keep it beside what was read from it. */
export function sourceOf(file: StructureFile, format: FormatName): Json {
  const extension = /\.([A-Za-z0-9]{1,16})$/.exec(file.fileName ?? '')?.[1]?.toLowerCase() ?? format
  const hash = createHash('md5').update(file.text, 'utf8').digest('hex')
  const frame = file.frame === undefined ? {} : { frame: file.frame }
  return { extension, filename: file.fileName ?? '', text: file.text, hash, ...frame }
}
