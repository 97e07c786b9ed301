import { readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { AppError } from '../kernel/errors.ts'
import { explainFileFault } from '../kernel/file-fault.ts'
import { isJsonObject, type Json, type JsonObject, ownField } from '../kernel/json.ts'
import { readStrictJson, StrictJsonError } from '../kernel/strict-json.ts'
import { RECORD_KINDS } from '../records/kinds/record-kinds.ts'
import { plainKind } from '../records/plain-kind.ts'
import type { RecordKind } from '../records/record-kind.ts'
import { compileSchema } from '../records/schema.ts'
import { APP_ERRORS } from './errors.ts'

/** The folder in the data directory in which an operator describes kinds of records. */
const FOLDER = 'kinds'

const MOST_KINDS = 100
const LONGEST_FILE = 1024 * 1024
const DEEPEST = 64

const FIELDS = ['name', 'collection', 'schema'] as const
const NAME = /^[a-z][a-z0-9]*(?:-[a-z][a-z0-9]*)*$/
const LONGEST_NAME = 48
const DIALECT = /^https?:\/\/json-schema\.org\/draft-07\/schema#?$/

/** Words that addresses and operations of the API have for something else than records. */
export const RESERVED_WORDS: ReadonlySet<string> = new Set(
  (
    'account accounts api bulk-change-parts bulk-changes charge charges cluster clusters default description entity-set entity-sets entities entity events export file file-links files ' +
    'health healthz import infrastructure kind kinds login logout me member members metaproperties metaproperty oidc openapi ' +
    'organization organizations optimade docs other password phase-diagram raw-properties raw-property readiness readyz record records refined-properties ' +
    'refined-property removed schema schemas search session sessions set sets structure structures swagger token tokens upload uploads user users v1 web'
  ).split(' '),
)

/** Reads kinds from `kinds/NAME.json` in the data directory. One at fault stops the start: its records could not be reached. */
export function readOperatorKinds(dataDirectory: string): readonly RecordKind[] {
  const folder = join(dataDirectory, FOLDER)
  const files = jsonFilesIn(folder)
  if (files.length > MOST_KINDS) {
    throw invalidKind(folder, `there are ${files.length} files; at most ${MOST_KINDS} kinds can be added`)
  }
  const kinds: RecordKind[] = []
  for (const file of files) {
    const path = join(folder, file)
    const kind = kindOf(path, readObject(path))
    assertNew(path, kind, [...RECORD_KINDS, ...kinds])
    kinds.push(kind)
  }
  return kinds
}

function jsonFilesIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder)
      .filter((name) => name.endsWith('.json') && !name.startsWith('.'))
      .sort()
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return []
    throw invalidKind(folder, `the folder cannot be read: ${explainFileFault(error, folder, 'read').reason}`)
  }
}

function readObject(path: string): JsonObject {
  let value: Json
  try {
    if (statSync(path).size > LONGEST_FILE) throw new Error(`it is longer than ${LONGEST_FILE} bytes`)
    value = readStrictJson(readFileSync(path, 'utf8'), { maxDepth: DEEPEST })
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== undefined) {
      throw invalidKind(path, `the file cannot be read: ${explainFileFault(error, path, 'read').reason}`)
    }
    const where = error instanceof StrictJsonError ? ` (line ${error.line}, column ${error.column})` : ''
    const reason = (error as Error).message.replace(/\.$/, '')
    throw invalidKind(path, `the file cannot be read as JSON: ${reason}${where}`)
  }
  if (!isJsonObject(value)) throw invalidKind(path, 'the file is not a JSON object')
  const unknown = Object.keys(value).find((key) => !FIELDS.some((field) => field === key))
  if (unknown !== undefined) throw invalidKind(path, `${JSON.stringify(unknown)} is not a field of a kind`)
  return value
}

function kindOf(path: string, document: JsonObject): RecordKind {
  const name = readName(path, document, 'name')
  const collection = readName(path, document, 'collection')
  if (name === collection) throw invalidKind(path, 'name is the singular and collection the plural; they differ')
  const schema = ownField(document, 'schema')
  if (!isJsonObject(schema)) throw invalidKind(path, 'schema is a JSON Schema, an object')
  assertSchema(path, schema)
  return plainKind({ name, collection, schema })
}

function readName(path: string, document: JsonObject, field: 'name' | 'collection'): string {
  const word = ownField(document, field)
  if (typeof word !== 'string' || word.length > LONGEST_NAME || !NAME.test(word)) {
    throw invalidKind(path, `${field} is 1 to ${LONGEST_NAME} lower-case letters, digits and single hyphens`)
  }
  if (RESERVED_WORDS.has(word) || word.startsWith('bank-')) {
    throw invalidKind(path, `${field} cannot be "${word}", which the API uses for something else`)
  }
  return word
}

function assertSchema(path: string, schema: JsonObject): void {
  const dialect = ownField(schema, '$schema')
  if (dialect !== undefined && !(typeof dialect === 'string' && DIALECT.test(dialect))) {
    throw invalidKind(path, 'schema is in another dialect than draft-07 of JSON Schema')
  }
  if (ownField(schema, 'type') !== 'object')
    throw invalidKind(path, 'schema needs "type": "object", as records are objects')
  // The check of such a schema gives a promise, which is no refusal of anything.
  if (ownField(schema, '$async') !== undefined) throw invalidKind(path, 'schema has $async, which is not supported')
  try {
    compileSchema(schema)
  } catch (error) {
    throw invalidKind(path, `schema cannot be used: ${(error as Error).message}`)
  }
}

function assertNew(path: string, kind: RecordKind, others: readonly RecordKind[]): void {
  const taken = new Set(others.flatMap(({ name, collection }) => [name, collection]))
  const word = [kind.name, kind.collection].find((candidate) => taken.has(candidate))
  if (word !== undefined) throw invalidKind(path, `there is another kind with "${word}" as its name or collection`)
}

function invalidKind(path: string, reason: string): AppError {
  return new AppError(APP_ERRORS.invalidKind, `${path}: ${reason}.`, {
    path,
    hint: 'A kind is {"name":"sample","collection":"samples","schema":{"type":"object",…}}.',
  })
}
