import { createHash } from 'node:crypto'
import { isJsonObject, type Json, type JsonObject } from '../../kernel/json.ts'
import { readStrictJson, StrictJsonError } from '../../kernel/strict-json.ts'
import { decodeText } from '../../structure/formats/common/text.ts'
import { invalidImport } from '../import/invalid-import.ts'
import { readBody } from '../read-body.ts'
import { materialDocument } from '../structure-files/material-document.ts'
import type { DraftSource, DraftTerms, FileReading } from './draft.ts'
import type { RecordRules } from './rules.ts'

/** A source that has been read. */
export interface ReadDraft {
  readonly document: JsonObject
  /** What tells the source from all others of its account; the collection takes part where the source does not decide it. */
  readonly seed: (collection: string) => readonly string[]
  readonly reading?: FileReading
  /** The record as the store has it, where the source is one. */
  readonly stored?: JsonObject
}

/** Reads the source of a record; refuses what it cannot be made from. */
export function readDraft(rules: RecordRules, source: DraftSource, terms: DraftTerms): ReadDraft {
  if ('file' in source) return readFile(rules, source, terms)
  if ('stored' in source) {
    const stored = JSON.parse(source.stored) as JsonObject
    return { document: stored, stored, seed: seedOf(stored) }
  }
  const document = 'document' in source ? source.document : readJson(rules, source.json, terms)
  return { document, seed: seedOf(document) }
}

function readFile(
  { structureLimits }: RecordRules,
  { file, fileName }: Extract<DraftSource, { file: unknown }>,
  { format, frame }: DraftTerms,
): ReadDraft {
  const text = typeof file === 'string' ? file : decodeText(file)
  const { document, ...reading } = materialDocument({ text, format, frame, fileName, limits: structureLimits })
  const which = frame === undefined ? [] : [`frame ${frame}`]
  const hash = createHash('sha256').update(text).digest('hex')
  return { document, reading, seed: () => ['structure-file', hash, ...which] }
}

/** Of a document that is written in another way, with the same fields in the same order, the seed is the same. */
function seedOf(document: JsonObject): ReadDraft['seed'] {
  return (collection) => ['import', collection, JSON.stringify(document)]
}

function readJson({ limits }: RecordRules, json: Uint8Array, { purpose }: DraftTerms): JsonObject {
  return purpose === 'create' ? readBody(json) : readItem(new TextDecoder().decode(json), limits.depth)
}

/** Reads one record of a file of many: the place that counts is that within the record. */
function readItem(text: string, maxDepth: number): JsonObject {
  let value: Json
  try {
    value = readStrictJson(text, { maxDepth })
  } catch (error) {
    if (!(error instanceof StrictJsonError)) throw error
    const where =
      error.line === 1 ? `column ${error.column}` : `line ${error.line} of the record, column ${error.column}`
    throw invalidImport(`${error.message} (${where}).`, error.path, error.hint)
  }
  if (!isJsonObject(value)) throw invalidImport('A record is a JSON object.')
  return value
}
