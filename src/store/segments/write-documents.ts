import { createHash } from 'node:crypto'
import type { FoundPage, FoundRecord, PagePosition } from '../../engine/page-documents.ts'
import { ColumnProjection, isOfColumns, ProjectionSteps } from '../../engine/project-columns.ts'
import { BoundedCache } from '../../kernel/bounded-cache.ts'
import { JsonBytes, type JsonObject, parseDocument } from '../../kernel/json.ts'
import type { FieldsNode, FieldsTree } from '../../query/ast/list-request.ts'
import { compileProjection } from '../../query/fields/project-document.ts'
import { matcherOf } from '../../query/filter/match.ts'
import { type CarriedKey, foreignCursor, readCursor, writeCursor } from '../../query/order/cursor.ts'
import type { SortKeyValues } from '../../query/order/sort-key.ts'
import type { QueryPlan } from '../../query/plan.ts'
import { EVERY_HOME, type ListExtent, type NumberCipher } from '../number-cipher.ts'
import { ownBytes, ownText } from '../port/derived-text.ts'
import type { Effort } from './effort.ts'
import type { DocumentTexts } from './find-records.ts'
import type { SegmentContent } from './segment-content.ts'
import type { LoadedSegment } from './shelf-view.ts'
import type { TailDocument } from './tail-document.ts'

const NONE = Buffer.from('[]')

/** The documents of a page, or what the plan's fields leave of them, as the bytes of a JSON array. */
export function writeDocuments(
  texts: DocumentTexts,
  plan: QueryPlan,
  records: readonly FoundRecord[],
  effort: Effort,
): Buffer {
  if (records.length === 0) return NONE
  return plan.fields === null
    ? wholeDocuments(texts, records, effort)
    : projectedDocuments(texts, { plan, fields: plan.fields, records }, effort)
}

const OPEN = 0x5b
const COMMA = 0x2c
const CLOSE = 0x5d

/** Joins documents, as they are stored, to an array; those of segments are read together. */
function wholeDocuments(texts: DocumentTexts, records: readonly FoundRecord[], effort: Effort): Buffer {
  const out = new JsonBytes()
  const stored = texts.of(
    records.filter((record) => !('tail' in record)).map(({ n }) => n),
    effort,
  )
  for (const [at, record] of records.entries()) {
    out.byte(at === 0 ? OPEN : COMMA)
    const document = bytesOfTail(record) ?? (stored.next().value as Buffer)
    effort.assertFits(out.length + document.length, () => texts.lengthOf(records.map(({ n }) => n)) + records.length)
    const own = ownBytes(document)
    if (own === null) out.raw(document)
    else for (const part of own) out.raw(part)
  }
  out.byte(CLOSE)
  return out.take()
}

/** The text of a record that is at hand; null for one that has to be looked up. */
function bytesOfTail(record: FoundRecord): Buffer | null {
  return 'tail' in record ? (record.tail as TailDocument).bytes : null
}

interface Projecting {
  readonly plan: QueryPlan
  readonly fields: FieldsNode
  readonly records: readonly FoundRecord[]
}

function projectedDocuments(texts: DocumentTexts, { plan, fields, records }: Projecting, effort: Effort): Buffer {
  const out = new JsonBytes()
  const projections = projectionsOf(fields)
  const project = compileProjection(fields, plan.filter)
  for (const [at, record] of records.entries()) {
    out.byte(at === 0 ? OPEN : COMMA)
    if ('tail' in record) {
      const tail = record.tail as TailDocument
      out.json(JSON.stringify(project(shownOf(fields, tail.bytes, () => tail.document))))
    } else if (projections(record.segment as LoadedSegment)?.write(record.row, out) !== true) {
      const [text] = texts.of([record.n], effort)
      out.json(JSON.stringify(project(shownOf(fields, text as Buffer))))
    }
    // Records still to come are taken to be as large as those before.
    effort.assertFits(out.length, () => Math.ceil((out.length * records.length) / (at + 1)))
  }
  out.byte(CLOSE)
  return out.take()
}

/** The fields of a document that a projection chooses from: those that are left out by name leave out what is derived as well. */
function shownOf({ mode }: FieldsNode, text: Buffer, parsed = () => parseDocument(text.toString())): JsonObject {
  return mode === 'exclusion' && ownBytes(text) !== null ? parseDocument(ownText(text.toString())) : parsed()
}

/** Projections that are remembered for a segment: clients may ask for any fields. */
const REMEMBERED = 64
const known = new WeakMap<SegmentContent, BoundedCache<{ readonly steps: ProjectionSteps | null }>>()

/** Gives what writes fields from the columns of a segment; null where only documents have them. */
function projectionsOf(fields: FieldsNode): (segment: LoadedSegment) => ColumnProjection | null {
  const key = keyOf(fields)
  const begun = new Map<LoadedSegment, ColumnProjection | null>()
  return (segment) => {
    let projection = begun.get(segment)
    if (projection === undefined) {
      const steps = stepsFor(segment.row, fields, key)
      projection = steps === null ? null : new ColumnProjection(segment.source, steps)
      begun.set(segment, projection)
    }
    return projection
  }
}

function stepsFor(row: SegmentContent, fields: FieldsNode, key: string): ProjectionSteps | null {
  let ofRow = known.get(row)
  if (ofRow === undefined) {
    ofRow = new BoundedCache({ most: REMEMBERED })
    known.set(row, ofRow)
  }
  const remembered = ofRow.get(key)
  if (remembered !== undefined) return remembered.steps
  const steps = isOfColumns(fields) ? new ProjectionSteps(fields.tree) : null
  ofRow.set(key, { steps })
  return steps
}

/** Tells fields apart, as far as columns write them: what else they may be is never written from columns. */
function keyOf({ mode, positional, tree }: FieldsNode): string {
  return `${mode} ${positional?.text ?? ''} ${keyOfTree(tree)}`
}

function keyOfTree(tree: FieldsTree): string {
  let key = '{'
  for (const [name, node] of tree) {
    key += JSON.stringify(name)
    key += node.kind === 'branch' ? keyOfTree(node.children) : node.kind
    key += ','
  }
  return `${key}}`
}

const LINE_END = Buffer.from('\n')

/** Makes the line of a record in an export; null for one that does not match any more. */
export function lineMaker({ filter, fields }: QueryPlan, isUnchanged: boolean): (text: Buffer) => Buffer | null {
  const matches = matcherOf(filter)
  const project = fields === null ? null : compileProjection(fields, filter)
  return (text) => {
    if (isUnchanged && project === null) return lineOf(text)
    const document: JsonObject = parseDocument(text.toString())
    if (!isUnchanged && !matches(document)) return null
    if (fields === null || project === null) return lineOf(text)
    return Buffer.from(`${JSON.stringify(project(shownOf(fields, text, () => document)))}\n`)
  }
}

function lineOf(text: Buffer): Buffer {
  return Buffer.concat([...(ownBytes(text) ?? [text]), LINE_END])
}

const REMEMBERED_CURSORS = 10_000
const COLLECTION_BYTES = 3
const HOME_BYTES = 6
/** No account has a colon in its id. */
const PUBLIC = 'public:0'

const numbers = new BoundedCache<number>({ most: REMEMBERED_CURSORS })

/** Lists by numbers that follow from names, so that cursors are the same in every process, and in every store that records are moved to. */
function listedBy({ collection, scope }: Pick<QueryPlan, 'collection' | 'scope'>): ListExtent {
  const homes = [PUBLIC, ...(scope.kind === 'account' ? [scope.accountId] : [])]
  return {
    collection: numberOf(collection, COLLECTION_BYTES),
    homes: scope.kind === 'operator' ? [EVERY_HOME] : homes.map((home) => numberOf(home, HOME_BYTES)),
  }
}

function numberOf(name: string, bytes: number): number {
  const key = `${bytes} ${name}`
  let number = numbers.get(key)
  if (number === undefined) {
    number = createHash('sha256').update(name).digest().readUIntBE(0, bytes)
    numbers.set(key, number)
  }
  return number
}

/** Place in a list, as a cursor has it. */
export interface CursorPlace {
  /** Sort key of the last record. */
  readonly key: CarriedKey
  /** The last record, and which of the homes has it. */
  readonly n: number
  readonly home: number
  readonly numbers: readonly number[]
}

/** The place that a plan goes on behind; null for a first page. */
export function readPlace(cipher: NumberCipher, plan: QueryPlan): CursorPlace | null {
  if (plan.after === undefined || plan.after === null) return null
  const { key, place } = readCursor(plan.after, plan.sort)
  const position = cipher.readPosition(listedBy(plan), place)
  if (position === null) throw foreignCursor()
  const { numbers, home } = position
  return { key, n: numbers[home] as number, home, numbers }
}

export function positionAt(
  plan: QueryPlan,
  { numbers, n }: CursorPlace,
  key: SortKeyValues,
  homes: number,
): PagePosition {
  return { key, numbers: seesAll(plan) ? new Array<number>(homes).fill(n) : numbers }
}

/** Tells whether a plan sees all homes, and has one place in all: there can be thousands, and a record that moves to another is not new. */
function seesAll({ scope }: QueryPlan): boolean {
  return scope.kind === 'operator'
}

/** The cursor behind a page; null where nothing is behind it. */
export function cursorBehind(cipher: NumberCipher, plan: QueryPlan, { next, records }: FoundPage): string | null {
  const last = records.at(-1)
  if (next === null || last === undefined) return null
  const position = seesAll(plan) ? { numbers: [last.n], home: 0 } : { numbers: next.numbers, home: last.home }
  return writeCursor(plan.sort, { key: next.key, place: cipher.writePosition(listedBy(plan), position) })
}
