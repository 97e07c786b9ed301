import { Zip, ZipDeflate } from 'fflate'
import { AppError } from '../../kernel/errors.ts'
import type { JsonObject } from '../../kernel/json.ts'
import type { ListRequest } from '../../query/ast/list-request.ts'
import type { StructureFormat } from '../../structure/formats/common/format.ts'
import { materialToCrystal } from '../../structure/formats/json/material.ts'
import { printStructure } from '../../structure/formats/read-structure.ts'
import { RECORD_ERRORS } from '../errors.ts'
import { extensionOf } from '../kinds/material/structure-files.ts'
import { countRecords, exportRecords, getRecord } from '../use-cases/read-records.ts'
import type { Collection } from '../work/deps.ts'
import { splitLines } from './split-items.ts'

/** A structure as a file. */
export interface StructureText {
  readonly format: StructureFormat
  readonly fileName: string
  readonly text: string
}

/** Writes a stored material as a structure file. */
export async function exportStructure(
  materials: Collection,
  id: string,
  format: StructureFormat,
): Promise<StructureText> {
  const { text } = await getRecord(materials, id)
  const document: JsonObject = JSON.parse(text)
  return { format, fileName: `${slugOfRecord(document)}.${extensionOf(format)}`, text: printMaterial(document, format) }
}

/** Writes a material in a format that can be written. */
export function printMaterial(document: JsonObject, format: StructureFormat): string {
  return printStructure(materialToCrystal(document), format.name)
}

/** A part of a file's name: letters, digits and hyphens, never empty. */
export function slugOfRecord({ slug, _id }: JsonObject): string {
  const plain = String(slug ?? '')
    .replace(/[^A-Za-z0-9-]+/g, '')
    .slice(0, 80)
  return plain === '' ? String(_id) : plain
}

/** A zip archive of the older kind, which every program reads, has 65,535 entries at most. */
export const MOST_EXPORTED = 65_000

/** The entry that lists the materials which the format cannot express. */
const REFUSALS_NAME = 'not-exported.txt'

/** Counts the materials of an archive before the first byte goes out; refuses more than one can have. */
export async function countForArchive(materials: Collection, request: ListRequest): Promise<number> {
  const count = await countRecords(materials, request)
  if (count <= MOST_EXPORTED) return count
  throw new AppError(
    RECORD_ERRORS.tooManyFiles,
    `The query matches ${count} materials; an archive has at most ${MOST_EXPORTED}.`,
    { path: 'query', hint: 'Narrow the query, or leave out format to export records as NDJSON.' },
  )
}

/** Streams all materials that match as a zip archive of structure files; its limit does not matter. */
export async function* exportArchive(
  materials: Collection,
  request: ListRequest,
  format: StructureFormat,
): AsyncGenerator<Uint8Array> {
  const archive = new StreamedArchive(materials.deps.clock())
  const refusals: string[] = []
  let count = 0
  for await (const item of splitLines(exportRecords(materials, request), Number.MAX_VALUE)) {
    if (!('json' in item)) continue
    // What came after the count is in no archive; the next export has it.
    if (++count > MOST_EXPORTED) break
    const document: JsonObject = JSON.parse(Buffer.from(item.json).toString())
    const name = `${slugOfRecord(document)}-${document._id}.${extensionOf(format)}`
    try {
      archive.add(name, printMaterial(document, format))
    } catch (error) {
      if (!(error instanceof AppError)) throw error
      refusals.push(`${document._id}: ${error.message}`)
    }
    yield* archive.take()
  }
  if (refusals.length > 0) archive.add(REFUSALS_NAME, `${refusals.join('\n')}\n`)
  archive.end()
  yield* archive.take()
}

/** A zip archive whose bytes are taken as they come. All its entries are of one time. */
class StreamedArchive {
  readonly #writtenAt: number
  readonly #encoder = new TextEncoder()
  #chunks: Uint8Array[] = []
  readonly #zip = new Zip((error, chunk) => {
    if (error !== null) throw error
    this.#chunks.push(chunk)
  })

  constructor(writtenAt: number) {
    this.#writtenAt = writtenAt
  }

  add(name: string, text: string): void {
    const entry = new ZipDeflate(name)
    entry.mtime = this.#writtenAt
    this.#zip.add(entry)
    entry.push(this.#encoder.encode(text), true)
  }

  end(): void {
    this.#zip.end()
  }

  take(): readonly Uint8Array[] {
    const taken = this.#chunks
    this.#chunks = []
    return taken
  }
}
