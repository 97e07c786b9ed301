import { Zip, ZipDeflate } from 'fflate'
import { AppError, unpackError } from '../../kernel/errors.ts'
import type { JsonObject } from '../../kernel/json.ts'
import { type Warning, warning } from '../../kernel/warnings.ts'
import { remedied } from '../../page/remedies.ts'
import type { ListRequest } from '../../query/ast/list-request.ts'
import type { StructureFormat } from '../../structure/formats/common/format.ts'
import { RECORD_ERRORS } from '../errors.ts'
import { type PrintedStructure, type PrintTerms, writableFormat } from '../kinds/material/print-material.ts'
import { extensionOf } from '../kinds/material/structure-files.ts'
import { MATERIAL_WARNINGS } from '../kinds/material/warnings.ts'
import { countRecords, exportRecords, getRecord } from '../use-cases/read-records.ts'
import type { Collection } from '../work/deps.ts'
import type { PrintOutcome } from '../work/printed-material.ts'
import { fieldsOf } from '../work/stored-text.ts'
import { splitLines } from './split-items.ts'

export interface StructureText {
  readonly format: StructureFormat
  readonly fileName: string
  readonly text: string
  readonly warnings: readonly Warning[]
}

export async function exportStructure(materials: Collection, id: string, terms: PrintTerms): Promise<StructureText> {
  const { text } = await getRecord(materials, id)
  const { deps, session } = materials
  const [outcome] = await deps.work.runEach('print', session.user.id, [{ text }], terms)
  const format = writableFormat(terms.format)
  const name = slugOfRecord(await fieldsOf(deps.work, session.user.id, text, ['_id', 'slug']))
  const printed = printedBy(outcome)
  if (printed instanceof AppError) throw printed
  return {
    format,
    fileName: `${name}.${extensionOf(format)}`,
    text: printed.text,
    warnings: printed.warnings.map(({ message }) => warning(MATERIAL_WARNINGS.notWritten, 'format', message)),
  }
}

/** The text of a file, or why there is none; throws what is a fault of the program. */
function printedBy(outcome: PrintOutcome | undefined): PrintedStructure | AppError {
  if (outcome === undefined) throw new Error('nothing came of a material')
  if ('fault' in outcome) throw new Error(outcome.fault)
  return 'refusal' in outcome ? unpackError(outcome.refusal) : outcome.printed
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
/** The entry that lists what of the materials the files do not have. */
const UNWRITTEN_NAME = 'not-written.txt'

/** Counts the materials of an archive before the first byte goes out; refuses more than one can have. */
export async function countForArchive(materials: Collection, request: ListRequest): Promise<number> {
  const count = await countRecords(materials, request)
  if (count <= MOST_EXPORTED) return count
  const message = `The query matches ${count} materials; an archive has at most ${MOST_EXPORTED}.`
  throw new AppError(RECORD_ERRORS.tooManyFiles, message, { path: 'query', ...remedied('exportLines') })
}

/** Streams all materials that match as a zip archive of structure files; its limit does not matter. */
export async function* exportArchive(
  materials: Collection,
  request: ListRequest,
  terms: PrintTerms,
): AsyncGenerator<Uint8Array> {
  const { deps, session } = materials
  const archive = new StreamedArchive(deps.clock())
  const extension = extensionOf(writableFormat(terms.format))
  const [refusals, unwritten]: [string[], string[]] = [[], []]
  for await (const texts of someAtATime(exportRecords(materials, request))) {
    const outcomes = await deps.work.runEach(
      'print',
      session.user.id,
      texts.map((text) => ({ text })),
      terms,
    )
    for (const [index, outcome] of outcomes.entries()) {
      const { _id = null, slug = null }: JsonObject = JSON.parse(texts[index] ?? '{}')
      const printed = printedBy(outcome)
      if (printed instanceof AppError) refusals.push(`${_id}: ${printed.message}`)
      else {
        archive.add(`${slugOfRecord({ _id, slug })}-${_id}.${extension}`, printed.text)
        unwritten.push(...printed.warnings.map(({ message }) => `${_id}: ${message}`))
      }
    }
    yield* archive.take()
  }
  if (refusals.length > 0) archive.add(REFUSALS_NAME, `${refusals.join('\n')}\n`)
  if (unwritten.length > 0) archive.add(UNWRITTEN_NAME, `${unwritten.join('\n')}\n`)
  archive.end()
  yield* archive.take()
}

const MOST_AT_A_TIME = 25
const BYTES_AT_A_TIME = 256 * 1024

/** The texts of records, as many at a time as a thread writes in one turn. What came after the count is left out; the next export has it. */
async function* someAtATime(lines: AsyncIterable<Buffer>): AsyncGenerator<readonly string[]> {
  let [texts, bytes, count]: [string[], number, number] = [[], 0, 0]
  for await (const item of splitLines(lines, Number.MAX_VALUE)) {
    if (!('json' in item)) continue
    if (++count > MOST_EXPORTED) break
    texts.push(Buffer.from(item.json).toString())
    bytes += item.json.length
    if (texts.length < MOST_AT_A_TIME && bytes < BYTES_AT_A_TIME) continue
    yield texts
    ;[texts, bytes] = [[], 0]
  }
  if (texts.length > 0) yield texts
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
