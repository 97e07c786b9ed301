import fc from 'fast-check'
import type { Json, JsonObject } from '../../src/kernel/json.ts'
import type { Warning } from '../../src/kernel/warnings.ts'
import { all, type ExprNode, type FieldNode, type FilterNode, type PredicateNode } from '../../src/query/ast/filter.ts'
import type { FieldKind } from '../../src/query/ast/survey.ts'
import { matches } from '../../src/query/filter/match.ts'
import { parseFilter } from '../../src/query/filter/parse-filter.ts'
import type { RequesterScope } from '../../src/query/plan.ts'
import type { FieldGuide } from '../../src/query/warnings/field-knowledge.ts'
import { findWarnings } from '../../src/query/warnings/find-warnings.ts'
import { filters } from './arbitrary-filters.ts'
import {
  COLLECTIONS_PER_STORE,
  type Entry,
  entries,
  isVisible,
  type Rests,
  rests,
  unlessRefused,
  write,
} from './differential.ts'
import type { Soon, StoreUnderTest } from './store-under-test.ts'

/** Nothing is known of fields but what records have. */
const GUIDE: FieldGuide = {
  many: 'things',
  documented: new Set(),
  otherNames: new Map(),
  instants: new Set(),
  noteOf: () => null,
  spelling: () => null,
}

const scopes = fc.constantFrom<RequesterScope>({ kind: 'public' }, { kind: 'account', accountId: 'alice' })

interface Asked {
  readonly filter: JsonObject
  readonly scope: RequesterScope
}

/** What is told of random filters on random documents, in whatever state the segments are, is what their count says. */
export function warningsAreTrue(
  open: () => Soon<StoreUnderTest>,
  onTold: (code: number) => void,
): fc.IAsyncProperty<[Entry[], Asked[], Rests]> {
  let store: StoreUnderTest | null = null
  let collections = 0
  return fc.asyncProperty(
    fc.array(
      entries.map((entry) => ({ ...entry, document: { ...entry.document, _id: 'x' } })),
      { maxLength: 8 },
    ),
    fc.array(fc.record({ filter: filters, scope: scopes }), { minLength: 8, maxLength: 12, size: 'max' }),
    rests,
    async (given, asked, when) => {
      if (store === null) {
        store = await open()
        collections = 0
      }
      const collection = `w${++collections}`
      await write(store, collection, given, when)
      for (const one of asked) await look(store, { collection, given, onTold }, one)
      if (collections < COLLECTIONS_PER_STORE) return
      await store.close()
      store = null
    },
  )
}

interface Looking {
  readonly collection: string
  readonly given: readonly Entry[]
  readonly onTold: (code: number) => void
}

async function look(
  store: StoreUnderTest,
  { collection, given, onTold }: Looking,
  { filter: json, scope }: Asked,
): Promise<void> {
  const filter = unlessRefused(() => parseFilter(json))
  if (filter === null) return
  const seen = given
    .filter(({ owner, isPublic, isRemoved }) => !isRemoved && isVisible(scope, owner, isPublic))
    .map(({ document }) => JSON.parse(JSON.stringify(document)) as JsonObject)
  const count = (node: FilterNode): number => seen.filter((document) => matches(node, document)).length
  const found = unlessRefused(() => count(filter))
  if (found === null) return
  for (const way of store.ways) {
    const told = await way.ask(collection, scope, (known) =>
      findWarnings({ filter, sort: [], fields: null }, known, GUIDE, found === 0),
    )
    for (const warning of told ?? []) {
      onTold(warning.code)
      const untrue = untruthOf(warning, filter, count, seen.length)
      if (untrue !== null)
        throw new Error(`${way.name}: ${untrue}: ${JSON.stringify(warning)} of ${JSON.stringify(json)}`)
    }
  }
}

/** What the documents say that a warning does not; null where it is true. */
function untruthOf(
  { code, path, message }: Warning,
  filter: FilterNode,
  count: (node: FilterNode) => number,
  seen: number,
): string | null {
  const conditions = conditionsAt(filter, path)
  switch (code) {
    case 20001:
      return untruthOfUnknown(message, all(...conditions), count, seen)
    case 20002: {
      const kind = KINDS[named(message, /never (?:a |an )?(\w+)/)]
      const at = named(message, /see "([^"]+)" is/)
      return kind === undefined || count(ofType(at, kind)) === 0 ? null : `there is a value of the type ${kind}`
    }
    case 20005:
    case 20007:
    case 20008: {
      const inList = named(message, /has one in "([^"]+)"/)
      if (inList !== '') return count(ofType(inList, 'array')) === 0 ? null : 'there is a list'
      const at = named(message, /at "([^"]+)"\./)
      const isNowhere = conditions.flatMap(valuesIn).some((value) => count(equal(at, value)) === 0)
      return isNowhere ? null : 'a record has the value'
    }
    case 20009:
      return count(filter) === 0 ? null : 'something meets the conditions'
    default:
      return null
  }
}

function untruthOfUnknown(
  message: string,
  condition: FilterNode,
  count: (node: FilterNode) => number,
  seen: number,
): string | null {
  if (count(exists(named(message, /has "([^"]+)"/))) > 0) return 'a record has the field'
  const told = named(message, /(holds for (?:all|none)|(?:all|none) of them meets?)/)
  if (told === '') return null
  const found = count(condition)
  return found === (told.includes('all') ? seen : 0) ? null : `it holds for ${found} of ${seen}`
}

function named(message: string, pattern: RegExp): string {
  return pattern.exec(message)?.[1] ?? ''
}

const KINDS: Readonly<Record<string, FieldKind>> = {
  number: 'number',
  text: 'string',
  true: 'boolean',
  list: 'array',
  object: 'object',
}
const TYPES = {
  number: ['int', 'long', 'double'],
  string: ['string'],
  boolean: ['bool'],
  array: ['array'],
  object: ['object'],
  null: ['null'],
} as const

function node(path: string, predicate: PredicateNode): FieldNode {
  return { kind: 'field', path: { text: path, parts: path.split('.') }, predicate, place: null }
}
const exists = (path: string) => node(path, { operator: '$exists', exists: true })
const equal = (path: string, value: Json) => node(path, { operator: '$eq', value })
const ofType = (path: string, kind: FieldKind) => node(path, { operator: '$type', types: TYPES[kind] })

/** The predicates of the condition on records that was written at a place, or around it. */
function conditionsAt(filter: FilterNode, place: string): readonly (FieldNode | ExprNode)[] {
  if (filter.kind === 'expr') return filter.place === place ? [filter] : []
  if (filter.kind !== 'field') return filter.clauses.flatMap((clause) => conditionsAt(clause, place))
  return filter.place !== null && (place === filter.place || place.startsWith(`${filter.place}.$`)) ? [filter] : []
}

function valuesOf(predicate: PredicateNode): readonly Json[] {
  switch (predicate.operator) {
    case '$eq':
      return [predicate.value]
    case '$in':
      return predicate.values
    case '$all':
    case '$not':
      return predicate.predicates.flatMap(valuesOf)
    case '$elemMatch':
      return predicate.form === 'value' ? predicate.predicates.flatMap(valuesOf) : valuesIn(predicate.filter)
    default:
      return []
  }
}

function valuesIn(filter: FilterNode): readonly Json[] {
  if (filter.kind === 'expr') return []
  return filter.kind === 'field' ? valuesOf(filter.predicate) : filter.clauses.flatMap(valuesIn)
}
