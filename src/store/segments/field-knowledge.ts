import type { Column } from '../../engine/column.ts'
import { evaluateFilter } from '../../engine/evaluate-filter.ts'
import { hasColumn } from '../../engine/evaluate-values.ts'
import { addKindsIn, addPathsOf, kindsInColumn } from '../../engine/field-kinds.ts'
import { REST_PATH, SHAPE_PATH } from '../../engine/gather-columns.ts'
import { type Bits, countBits, intersection, isEmpty } from '../../engine/selection.ts'
import { BoundedCache } from '../../kernel/bounded-cache.ts'
import type { Json, JsonObject } from '../../kernel/json.ts'
import type { FieldNode } from '../../query/ast/filter.ts'
import type { FieldKind } from '../../query/ast/survey.ts'
import { matcherOf } from '../../query/filter/match.ts'
import type { Scope } from '../../query/plan.ts'
import type { FieldKnowledge } from '../../query/warnings/field-knowledge.ts'
import type { ColumnCache } from './column-cache.ts'
import { type Effort, TooLongHere } from './effort.ts'
import type { LoadedSegment, ShelfView } from './shelf-view.ts'
import { stepsOf } from './tail-document.ts'

/** Answers that are remembered for each: clients may ask for any path and value. */
const REMEMBERED_ANSWERS = 1000
/** So many bytes of a document of a tail are looked at in a step. */
const BYTES_OF_A_STEP = 32

export interface Asker {
  readonly collection: string
  readonly scope: Scope
}

/** Question about fields; plain data, so that another thread can answer it. */
export type FieldAsk =
  | { readonly records: true }
  | { readonly kindsAt: string }
  | { readonly value: Json; readonly at: string }
  | { readonly paths: number }

/** Of kinds false, where columns do not tell. */
export type FieldAnswer = ReadonlySet<FieldKind> | boolean | readonly string[]

/** Answers about fields, by the names of asks. */
export type FieldAnswers = ReadonlyMap<string, FieldAnswer>

export function askName(ask: FieldAsk): string {
  return JSON.stringify(ask)
}

/** Something is asked that takes longer than a thread may take for it. */
export class FieldUnknown extends TooLongHere {
  readonly ask: FieldAsk

  constructor(ask: FieldAsk) {
    super()
    this.ask = ask
  }
}

/** Runs an ask. A thread that may not take long for it ends it with `FieldUnknown`. */
export type RunAsk = (ask: FieldAsk, run: () => FieldAnswer) => FieldAnswer

export interface KnowledgeTerms {
  readonly effort: Pick<Effort, 'spend'>
  readonly given?: FieldAnswers
}

/** Knowledge of fields, remembered for as long as nothing changes that the requester sees. */
export class KnowledgeOfFields {
  readonly #columns: ColumnCache
  readonly #run: RunAsk
  /** By the view of the requester's own records, or else of the public ones: what is known goes with it. */
  readonly #known = new WeakMap<ShelfView, ShelfAnswers>()

  constructor(columns: ColumnCache, run: RunAsk = (_, run) => run()) {
    this.#columns = columns
    this.#run = run
  }

  /** Knowledge of fields in the shelves that a requester sees now; null while segments are being made. */
  of(shelves: readonly ShelfView[], { effort, given = NO_ANSWERS }: KnowledgeTerms): FieldKnowledge | null {
    if (shelves.some(({ backlog }) => backlog !== null)) return null
    const answers = this.#answersIn(shelves)
    return knowledgeOf((ask) => {
      const name = askName(ask)
      const found = given.get(name) ?? answers.get(name)
      if (found !== undefined) return found
      const answer = this.#run(ask, () => answerOf(ask, { shelves, columns: this.#columns, effort }))
      answers.set(name, answer)
      return answer
    })
  }

  /** Remembers what another thread has found out, where nothing has changed since before it was asked. */
  learn(shelves: readonly ShelfView[], found: FieldAnswers): void {
    const answers = this.#answersIn(shelves)
    for (const [name, answer] of found) answers.set(name, answer)
  }

  #answersIn(shelves: readonly ShelfView[]): ShelfAnswers['answers'] {
    const own = shelves.at(-1)
    const known = own === undefined ? undefined : this.#known.get(own)
    if (known !== undefined && isSame(known.shelves, shelves)) return known.answers
    const answers: ShelfAnswers['answers'] = new BoundedCache({ most: REMEMBERED_ANSWERS })
    if (own !== undefined) this.#known.set(own, { shelves, answers })
    return answers
  }
}

const NO_ANSWERS: FieldAnswers = new Map()

interface ShelfAnswers {
  readonly shelves: readonly ShelfView[]
  readonly answers: BoundedCache<FieldAnswer>
}

/** A shelf has one view for as long as nothing in it changes, nor where its records are. */
function isSame(known: readonly ShelfView[], now: readonly ShelfView[]): boolean {
  return known.length === now.length && known.every((shelf, at) => shelf === now[at])
}

/** Knowledge that has its answers from somewhere. */
export function knowledgeOf(answer: (ask: FieldAsk) => FieldAnswer): FieldKnowledge {
  return {
    hasRecords: () => answer({ records: true }) as boolean,
    kindsAt: (path) =>
      hasColumn(path.split('.'), path) ? (answer({ kindsAt: path }) as ReadonlySet<FieldKind> | false) || null : null,
    hasValue: (at, value) => isLong(value) || (answer({ value, at }) as boolean),
    paths: (most) => answer({ paths: most }) as readonly string[],
  }
}

/** Characters of a value that is looked for as JSON: answers are remembered under it. */
const LONGEST_VALUE = 2000

function isLong(value: Json): boolean {
  return typeof value === 'object' && JSON.stringify(value).length > LONGEST_VALUE
}

interface KnowledgeSource {
  readonly shelves: readonly ShelfView[]
  readonly columns: ColumnCache
  readonly effort: Pick<Effort, 'spend'>
}

/** Looks at all records of some shelves. */
export function answerOf(ask: FieldAsk, looked: KnowledgeSource): FieldAnswer {
  if ('records' in ask) return hasRecords(looked)
  looked.columns.begin(looked.effort)
  if ('kindsAt' in ask) return kindsAt(ask.kindsAt, looked)
  return 'paths' in ask ? pathsOf(ask.paths, looked) : hasValue(ask.at, ask.value, looked)
}

function segmentsOf({ shelves }: KnowledgeSource): readonly LoadedSegment[] {
  return shelves.flatMap(({ segments }) => segments)
}

function* documentsOf({ shelves, effort }: KnowledgeSource): Generator<JsonObject> {
  for (const { tail } of shelves) {
    for (const record of tail) {
      effort.spend(stepsOf(record, BYTES_OF_A_STEP))
      yield record.document
    }
  }
}

function hasRecords({ shelves }: KnowledgeSource): boolean {
  return shelves.some(({ tail, segments }) => tail.length > 0 || segments.some(({ live }) => !isEmpty(live)))
}

function kindsAt(path: string, looked: KnowledgeSource): ReadonlySet<FieldKind> | false {
  const parts = path.split('.')
  const found = new Set<FieldKind>()
  for (const { source, live, isWhole } of segmentsOf(looked)) {
    const column = source.column(path)
    const alive = isWhole ? null : live
    if (column !== null && hasUntold(column, live)) return false
    if (column !== null) for (const kind of kindsInColumn(column, parts.length, alive)) found.add(kind)
  }
  for (const document of documentsOf(looked)) addKindsIn(document, parts, found)
  return found
}

function hasUntold(column: Column, live: Bits): boolean {
  const rows = column.rowsOfKind('untold')
  return rows !== null && !isEmpty(intersection(rows, live))
}

function hasValue(path: string, value: Json, looked: KnowledgeSource): boolean {
  const filter = equalTo(path, value)
  const matches = matcherOf(filter)
  for (const document of documentsOf(looked)) if (matches(document)) return true
  return segmentsOf(looked).some(({ source, live }) => !isEmpty(intersection(evaluateFilter(source, filter).may, live)))
}

function pathsOf(most: number, looked: KnowledgeSource): readonly string[] {
  const paths = new Set<string>()
  for (const document of documentsOf(looked)) addPathsOf(document, paths)
  for (const segment of segmentsOf(looked)) for (const path of pathsIn(looked.columns, segment)) paths.add(path)
  for (const path of [SHAPE_PATH, REST_PATH]) paths.delete(path)
  return [...paths].sort().slice(0, most)
}

function equalTo(path: string, value: Json): FieldNode {
  return {
    kind: 'field',
    path: { text: path, parts: path.split('.') },
    predicate: { operator: '$eq', value },
    place: null,
  }
}

/** The paths at which a living row has something: of a path in more rows than are dead, one lives for certain. */
export function* pathsIn(columns: ColumnCache, segment: LoadedSegment): Generator<string> {
  const { row, live, source } = segment
  const dead = row.numbers.length - countBits(live)
  const lives = (column: Column | null): boolean =>
    column !== null && (dead === 0 || !isEmpty(intersection(column.presentBits, live)))
  for (const [path, , present] of row.catalog.columns) if (present > dead || lives(source.column(path))) yield path
  for (const [path, column] of columns.bundled(row)) if (lives(column)) yield path
}
