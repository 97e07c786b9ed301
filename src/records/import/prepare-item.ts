import type { Session } from '../../accounts/session.ts'
import { isoInstant } from '../../kernel/clock.ts'
import { AppError } from '../../kernel/errors.ts'
import { isJsonObject, type Json, type JsonObject, ownField } from '../../kernel/json.ts'
import { readStrictJson, StrictJsonError } from '../../kernel/strict-json.ts'
import { contentId } from '../content-id.ts'
import type { RecordDeps } from '../deps.ts'
import { RECORD_ERRORS } from '../errors.ts'
import type { OnDuplicate } from '../find-duplicates.ts'
import { DEFAULT_RECORD_LIMITS } from '../limits.ts'
import { isRecordId } from '../record-id.ts'
import type { RecordKind } from '../record-kind.ts'
import { detectKind } from '../record-kinds.ts'
import type { ImportItem } from './import-item.ts'
import { type Insert, prepareInsert } from './prepare-insert.ts'

/** What an import assumes of its records. */
export interface ImportOptions {
  /** Without it, the kind of each record is told by its fields. */
  readonly kind?: RecordKind
  /** Without it, a record is public when it says so. */
  readonly isPublic?: boolean
  /** What to do with content that the account has already; `create` when left out. */
  readonly onDuplicate?: OnDuplicate
}

/** Makes the insert of one record of an import, or refuses it. */
export async function prepareItem(
  deps: RecordDeps,
  session: Session,
  item: ImportItem,
  options: ImportOptions,
): Promise<Insert> {
  const given = readItem(item, deps.limits?.depth ?? DEFAULT_RECORD_LIMITS.depth)
  const document = options.isPublic === undefined ? given : { ...given, isPublic: options.isPublic }
  const kind = options.kind ?? detectKind(document) ?? refuseKind()
  const id = idOf(kind, given, session)
  const createdAt = pastInstant(ownField(document, 'createdAt'), deps.clock())
  return prepareInsert(deps, session, kind, document, { id, createdAt })
}

function readItem(item: ImportItem, maxDepth: number): JsonObject {
  if ('fault' in item) throw invalidImport(item.fault)
  let value: Json
  try {
    value = readStrictJson(item.text, { maxDepth })
  } catch (error) {
    if (!(error instanceof StrictJsonError)) throw error
    const where =
      error.line === 1 ? `column ${error.column}` : `line ${error.line} of the record, column ${error.column}`
    throw invalidImport(`${error.message} (${where}).`, error.path, error.hint)
  }
  if (!isJsonObject(value)) throw invalidImport('A record is a JSON object.')
  return value
}

/**
 * A record keeps its id when it brings one. Else the id follows from its content, so that an import can be run again after a
 * crash and stores nothing twice.
 */
function idOf(kind: RecordKind, document: JsonObject, session: Session): string {
  const id = ownField(document, '_id') ?? null
  if (id === null) return contentId('import', session.account.id, kind.collection, JSON.stringify(document))
  if (typeof id === 'string' && isRecordId(id)) return id
  throw invalidImport(
    'The _id cannot be used.',
    '_id',
    'Use 1 to 64 letters, digits, "-" or "_" (no word of the API), or leave it out.',
  )
}

/** The time of creation that an exported record brings, unless it is none or in the future. */
function pastInstant(value: Json | undefined, now: number): string | null {
  const time = typeof value === 'string' && /^\d{4}-\d\d-\d\dT[\d:.]+Z$/.test(value) ? Date.parse(value) : Number.NaN
  return time <= now ? isoInstant(time) : null
}

function refuseKind(): never {
  const hint =
    'A material has basis and lattice, a method type and subtype. Of other records, say the kind of all in the file.'
  throw invalidImport('The record does not tell what kind it is of.', '', hint)
}

function invalidImport(message: string, path?: string, hint?: string): AppError {
  const data = { ...(path === undefined ? {} : { path }), ...(hint === undefined ? {} : { hint }) }
  return new AppError(RECORD_ERRORS.invalidImport, message, data)
}
