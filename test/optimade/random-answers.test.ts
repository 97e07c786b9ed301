import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Json, JsonObject } from '../../src/kernel/json.ts'
import { readListingQuery } from '../../src/optimade/entry-query.ts'
import { SAME_AS, STRUCTURE_PROPERTIES } from '../../src/optimade/properties.ts'
import { listStructures, writeStructures } from '../../src/optimade/structures.ts'
import { DEFAULT_QUERY_BOUNDS } from '../../src/query/plan.ts'
import { loadSamples } from '../../src/records/samples/load-samples.ts'
import { openRecordRoom, type RecordRoom } from '../records/support/record-room.ts'

/** As many as take some seconds; thousands found nothing else. */
const RUNS = 100

let room: RecordRoom
let structures: readonly JsonObject[]

const ask = async (filter: string, more: readonly [string, string][] = []) => {
  const parameters = new Map<string, string>([['page_limit', '500'], ['filter', filter], ...more])
  const query = readListingQuery(parameters, DEFAULT_QUERY_BOUNDS)
  const { structures } = await listStructures(room.deps.store, query)
  return JSON.parse(writeStructures(structures, query).toString()) as JsonObject[]
}

beforeAll(async () => {
  room = await openRecordRoom()
  await loadSamples(room.depsWith({}))
  const names = [...STRUCTURE_PROPERTIES.keys()].filter((name) => name !== SAME_AS).join()
  structures = (await ask('', [['response_fields', names]])).map(({ id, attributes }) => ({
    id: id as Json,
    type: 'structures',
    ...(attributes as JsonObject),
  }))
})
afterAll(() => room.close())

/** True, false, or null where what is asked about is unknown: the logic of three values that the specification has. */
type Truth = boolean | null
interface Asked {
  readonly text: string
  readonly holds: (structure: JsonObject) => Truth
}

const isKnown = (value: Json | undefined): value is Json => value !== null && value !== undefined
const negated = (truth: Truth): Truth => (truth === null ? null : !truth)
const both = (one: Truth, other: Truth): Truth => {
  if (one === false || other === false) return false
  return one === null || other === null ? null : true
}

const SIGNS = ['=', '!=', '<', '<=', '>', '>='] as const
const FORMS = ['CONTAINS', 'STARTS WITH', 'ENDS WITH'] as const
type Scalar = number | string

function compares(sign: (typeof SIGNS)[number], one: Scalar, other: Scalar): boolean {
  if (sign === '=') return one === other
  if (sign === '!=') return one !== other
  const isEqualToo = sign.length === 2 && one === other
  return isEqualToo || (sign.startsWith('<') ? one < other : one > other)
}

function contains(form: (typeof FORMS)[number], whole: string, part: string): boolean {
  if (form === 'CONTAINS') return whole.includes(part)
  return form === 'STARTS WITH' ? whole.startsWith(part) : whole.endsWith(part)
}

const literal = (value: Scalar) => (typeof value === 'string' ? JSON.stringify(value) : String(value))

/** Properties by how they are asked; those of lists whose items are compared have theirs rounded as the reference says. */
const SCALARS = [...STRUCTURE_PROPERTIES].filter(([, { queryable, type }]) => queryable.compare && type !== 'timestamp')
const LISTS = ['elements', 'elements_ratios', 'dimension_types', 'structure_features', '_quarry_tags']
const COUNTED = [...STRUCTURE_PROPERTIES].filter(
  ([name, { queryable, type }]) => type === 'list' && queryable.compareLength && name !== 'elements',
)

const valuesOf = (name: string): readonly Scalar[] => {
  const found = structures
    .flatMap((structure) => (isKnown(structure[name]) ? [structure[name]] : []))
    .flat() as Scalar[]
  return found.length === 0
    ? [STRUCTURE_PROPERTIES.get(name)?.type === 'float' ? 1 : 'x']
    : found.map((value) => (name === 'elements_ratios' ? Number(Number(value).toPrecision(6)) : value))
}
const itemsOf = (name: string, structure: JsonObject): readonly Scalar[] =>
  (structure[name] as readonly Scalar[]).map((value) =>
    name === 'elements_ratios' ? Number(Number(value).toPrecision(6)) : value,
  )

const pick = <Item>(items: readonly Item[]) => fc.constantFrom(...items)
const scalarAsked = (): fc.Arbitrary<Asked> =>
  pick(SCALARS).chain(([name]) =>
    fc.tuple(pick(SIGNS), pick(valuesOf(name)), fc.boolean()).map(([sign, value, isTurned]): Asked => {
      const turned = sign.startsWith('<') ? sign.replace('<', '>') : sign.replace('>', '<')
      return {
        text: isTurned ? `${literal(value)} ${turned} ${name}` : `${name} ${sign} ${literal(value)}`,
        holds: ({ [name]: found }) => (isKnown(found) ? compares(sign, found as Scalar, value) : null),
      }
    }),
  )
const textAsked = (): fc.Arbitrary<Asked> =>
  pick(SCALARS.filter(([, { type }]) => type === 'string')).chain(([name]) =>
    fc.tuple(pick(FORMS), pick(valuesOf(name)), fc.nat(3), fc.nat(3)).map(([form, value, from, length]): Asked => {
      const part = String(value).slice(from, from + length)
      return {
        text: `${name} ${form} ${literal(part)}`,
        holds: ({ [name]: found }) => (isKnown(found) ? contains(form, String(found), part) : null),
      }
    }),
  )
type ItemTest = { readonly text: string; readonly holds: (item: Scalar) => boolean }
const itemTest = (name: string): fc.Arbitrary<ItemTest> =>
  fc.tuple(pick(valuesOf(name)), pick([...SIGNS, ...FORMS, ''] as const)).map(([value, operator]): ItemTest => {
    const isForm = (FORMS as readonly string[]).includes(operator)
    if (isForm && typeof value === 'string') {
      const form = operator as (typeof FORMS)[number]
      return { text: `${form} ${literal(value)}`, holds: (item) => contains(form, String(item), value) }
    }
    const sign = isForm || operator === '' ? '=' : (operator as (typeof SIGNS)[number])
    return { text: `${isForm ? '' : operator} ${literal(value)}`, holds: (item) => compares(sign, item, value) }
  })
const QUANTIFIED: Readonly<Record<string, (items: readonly Scalar[], tests: readonly ItemTest[]) => boolean>> = {
  ALL: (items, tests) => tests.every(({ holds }) => items.some(holds)),
  ANY: (items, tests) => items.some((item) => tests.some(({ holds }) => holds(item))),
  ONLY: (items, tests) => items.every((item) => tests.some(({ holds }) => holds(item))),
}
const listAsked = (): fc.Arbitrary<Asked> =>
  pick(LISTS).chain((name) =>
    fc.tuple(pick(Object.keys(QUANTIFIED)), fc.array(itemTest(name), { minLength: 1, maxLength: 3 })).map(
      ([quantifier, tests]): Asked => ({
        text: `${name} HAS ${quantifier} ${tests.map(({ text }) => text).join(', ')}`,
        holds: (structure) =>
          isKnown(structure[name]) ? (QUANTIFIED[quantifier]?.(itemsOf(name, structure), tests) ?? null) : null,
      }),
    ),
  )
const lengthAsked = (): fc.Arbitrary<Asked> =>
  pick(COUNTED).chain(([name]) =>
    fc.tuple(pick(SIGNS), fc.nat(6)).map(
      ([sign, length]): Asked => ({
        text: `${name} LENGTH ${sign} ${length}`,
        holds: ({ [name]: found }) =>
          isKnown(found) ? compares(sign, (found as readonly Json[]).length, length) : null,
      }),
    ),
  )
const knownAsked = (): fc.Arbitrary<Asked> =>
  fc.tuple(pick([...STRUCTURE_PROPERTIES.keys()].filter((name) => name !== SAME_AS)), fc.boolean()).map(
    ([name, known]): Asked => ({
      text: `${name} IS ${known ? 'KNOWN' : 'UNKNOWN'}`,
      holds: ({ [name]: found }) => isKnown(found) === known,
    }),
  )

const asked = (): fc.Arbitrary<Asked> =>
  fc.letrec<{ whole: Asked; single: Asked }>((tie) => ({
    single: fc.oneof(scalarAsked(), textAsked(), listAsked(), lengthAsked(), knownAsked()),
    whole: fc.oneof(
      { maxDepth: 3 },
      tie('single'),
      tie('whole').map(({ text, holds }): Asked => ({ text: `NOT (${text})`, holds: (one) => negated(holds(one)) })),
      fc.tuple(tie('whole'), tie('whole')).map(
        ([one, other]): Asked => ({
          text: `(${one.text}) AND (${other.text})`,
          holds: (structure) => both(one.holds(structure), other.holds(structure)),
        }),
      ),
      fc.tuple(tie('whole'), tie('whole')).map(
        ([one, other]): Asked => ({
          text: `(${one.text}) OR (${other.text})`,
          holds: (structure) => negated(both(negated(one.holds(structure)), negated(other.holds(structure)))),
        }),
      ),
    ),
  })).whole

test('each property is alone what it is among all others', async () => {
  for (const name of STRUCTURE_PROPERTIES.keys()) {
    if (name === SAME_AS || name === 'id' || name === 'type') continue
    const alone = (await ask('', [['response_fields', name]])).map(({ attributes }) => attributes)
    expect(alone).toEqual(structures.map((structure) => ({ [name]: structure[name] })))
  }
})

test('any filter selects what three-valued logic says of the entries that are served', {
  timeout: 120_000,
}, async () => {
  expect(structures.length).toBeGreaterThan(100)
  await fc.assert(
    fc.asyncProperty(asked(), async ({ text, holds }) => {
      const expected = structures.filter((structure) => holds(structure) === true).map(({ id }) => id)
      expect([text, (await ask(text)).map(({ id }) => id)]).toEqual([text, expected])
    }),
    { numRuns: RUNS },
  )
})
