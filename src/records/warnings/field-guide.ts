import { BoundedCache } from '../../kernel/bounded-cache.ts'
import { AppError } from '../../kernel/errors.ts'
import { isJsonArray, isJsonObject, type Json, type JsonObject, ownField } from '../../kernel/json.ts'
import type { Warning } from '../../kernel/warnings.ts'
import type { ListRequest } from '../../query/ast/list-request.ts'
import {
  type FieldGuide,
  type FieldKnowledge,
  type Spelling,
  WarningList,
} from '../../query/warnings/field-knowledge.ts'
import { findWarnings, type QueryClauses } from '../../query/warnings/find-warnings.ts'
import { RECORD_ERRORS } from '../errors.ts'
import type { RecordKind, ScopedCollection } from '../record-kind.ts'
import { spellChoice, spellId, spellInstant } from '../spelling.ts'
import { COMMON_PROPERTIES } from '../validate-record.ts'

/** Paths that the server adds to every kind of record, and those that API clients use. */
const SERVER_PATHS = (
  '_id slug owner owner._id owner.slug owner.cls creator creator._id creator.slug creator.cls createdAt updatedAt schemaVersion ' +
  'isDefault inSet inSet._id inSet.cls inSet.slug inSet.type inSet.index isEntitySet entitySetType entityCls nextIndex exabyteId ' +
  'systemName isCurated source.info.jobId metadata files files.name files.size files.sha256 files.type files.createdAt'
).split(' ')

/** Names of such fields in other databases. */
const OTHER_NAMES = {
  id: '_id',
  title: 'name',
  label: 'name',
  created: 'createdAt',
  modified: 'updatedAt',
  public: 'isPublic',
}

const IDS: ReadonlySet<string> = new Set(['_id', 'owner._id', 'creator._id', 'inSet._id'])

const INSTANTS: ReadonlySet<string> = new Set(['createdAt', 'updatedAt'])

const guides = new WeakMap<RecordKind, FieldGuide>()

/** Guide to the fields of a kind, from its description. */
export function guideOf(kind: RecordKind): FieldGuide {
  let guide = guides.get(kind)
  if (guide === undefined) {
    guide = makeGuide(kind)
    guides.set(kind, guide)
  }
  return guide
}

function makeGuide(kind: RecordKind): FieldGuide {
  const { schema, derivedFields = [], derivedPaths = [], otherNames = {}, spelling, noteOf } = kind
  const nodes = new Map([...nodesOf({ properties: COMMON_PROPERTIES }, ''), ...nodesOf(schema, '')])
  const choices = new Map([...nodes].flatMap(([path, node]) => choicesOf(path, node)))
  return {
    many: kind.collection.replaceAll('-', ' '),
    documented: new Set([...nodes.keys(), ...derivedFields, ...derivedPaths, ...SERVER_PATHS]),
    otherNames: new Map(Object.entries({ ...OTHER_NAMES, ...otherNames })),
    instants: INSTANTS,
    noteOf: notesOf(nodes, noteOf),
    spelling: remembering((path, text) => {
      if (INSTANTS.has(path)) return spellInstant(text)
      if (IDS.has(path)) return spellId(path, text)
      return spelling?.(path, text) ?? spellChoice(choices.get(path) ?? [], text)
    }),
  }
}

/** Notes of the schema on a path, and of what is known beside. */
function notesOf(nodes: ReadonlyMap<string, JsonObject>, noteOf: RecordKind['noteOf']): FieldGuide['noteOf'] {
  return (path) => {
    const node = nodes.get(path)
    const known = noteOf?.(path) ?? null
    if (node === undefined) return known
    const [title, description] = [textOf(node, 'title'), textOf(node, 'description')]
    return { title: title ?? known?.title ?? null, unit: known?.unit ?? textOf(node, 'unit'), description }
  }
}

function textOf(node: JsonObject, name: string): string | null {
  const text = ownField(node, name)
  return typeof text === 'string' ? text : null
}

/** Spellings that are remembered, of texts that are not longer than formulas and symbols are. */
const REMEMBERED = 5000
const LONGEST_REMEMBERED = 60

/** Reads a text once: lists ask for the same formulas and symbols again and again. */
function remembering(spell: FieldGuide['spelling']): FieldGuide['spelling'] {
  const known = new BoundedCache<{ readonly spelling: Spelling | null }>({ most: REMEMBERED })
  return (path, text) => {
    if (text.length > LONGEST_REMEMBERED) return spell(path, text)
    const key = `${path} ${text}`
    const remembered = known.get(key)
    if (remembered !== undefined) return remembered.spelling
    const spelling = spell(path, text)
    known.set(key, { spelling })
    return spelling
  }
}

/** The choices that a schema leaves for a text. */
function choicesOf(path: string, node: JsonObject): [string, readonly string[]][] {
  const choices = ownField(node, 'enum')
  if (!isJsonArray(choices) || !choices.every((choice) => typeof choice === 'string')) return []
  return [[path, choices as readonly string[]]]
}

/** Schema at each path, through arrays too. References are not followed: the paths below are just not known in advance. */
function nodesOf(schema: JsonObject, above: string): [string, JsonObject][] {
  const properties = ownField(schema, 'properties')
  const items = ownField(schema, 'items')
  const here = isJsonObject(properties)
    ? Object.entries(properties).flatMap(([name, node]) => named(name, node, above))
    : []
  return isJsonObject(items) ? [...here, ...nodesOf(items, above)] : here
}

function named(name: string, node: Json, above: string): [string, JsonObject][] {
  const path = above === '' ? name : `${above}.${name}`
  return isJsonObject(node) ? [[path, node], ...nodesOf(node, path)] : [[path, {}]]
}

/** Refuses what a strict request would have been warned of: in the words of the first warning, with all of them as data. */
export function refuseWarnings(warnings: readonly Warning[]): void {
  const [first] = warnings
  if (first === undefined) return
  const { path, message, hint } = first
  throw new AppError(RECORD_ERRORS.warned, message, { path, ...(hint === undefined ? {} : { hint }), warnings })
}

/** The warnings of many records, each once, as many as are read. */
export function eachOnce(warnings: readonly Warning[]): readonly Warning[] {
  const list = new WarningList()
  for (const one of warnings) list.add(`${one.path} ${one.message}`, one)
  return list.all
}

/** Finds what the requester should know about an answer, whatever was asked: it follows from the request and what the requester sees. */
export function listWarnings(
  { deps: { store }, kind, session: { scope } }: ScopedCollection,
  asked: WarnedRequest,
  foundNothing: boolean,
  since?: number,
): Promise<readonly Warning[]> {
  const find = (knowledge: FieldKnowledge | null) => findWarnings(asked, knowledge, guideOf(kind), foundNothing)
  return store.askKnowledge(kind.collection, scope, find, since).then((found) => tellWarnings(asked, found))
}

/** Parts of a request that may say something else than was meant. */
export type WarnedRequest = QueryClauses & Pick<ListRequest, 'strict' | 'remarks'>

function tellWarnings(asked: WarnedRequest, found: readonly Warning[]): readonly Warning[] {
  const warnings = asked.remarks === undefined ? found : [...asked.remarks, ...found]
  if (asked.strict === true) refuseWarnings(warnings)
  return warnings
}

/** Tells by the records of a page whether the request has any: behind a first page that is empty, there is none. */
export function isWithoutMatches({ skip, after }: Pick<ListRequest, 'skip' | 'after'>, count: number): boolean {
  return count === 0 && skip === 0 && (after ?? null) === null
}
