import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Json } from '../../src/kernel/json.ts'
import type { SortKey } from '../../src/query/ast/list-request.ts'
import { KeyBytes, readKeyBytes } from '../../src/query/order/key-bytes.ts'
import { compareSortKeys, type SortKeyValues, type SortValue } from '../../src/query/order/sort-key.ts'

const bytesOf = new KeyBytes(10_000)
const write = (key: SortKeyValues, sort: readonly SortKey[]): Buffer => {
  const bytes = bytesOf.write(key, sort)
  if (bytes === null) throw new Error('too long')
  return Buffer.from(bytes)
}

const texts = fc.oneof(
  fc.constantFrom(
    '',
    'a',
    'ab',
    'b',
    '\0',
    'a\0',
    '\u007e',
    '\u007f',
    '\u0080',
    '\u07fe',
    '\u07ff',
    '\u0800',
    '\ud7ff',
  ),
  fc.constantFrom('\ud800', '\udfff', '\ue000', '\uf7ff', '\uffff', '\u{1f600}', '\u{1f601}', '\u{10ffff}'),
  fc.string({ unit: 'binary', maxLength: 4 }),
)
const numbers = fc.oneof(
  fc.constantFrom(0, -0, 1, -1, 2, 1.5, -1.5, 5e-324, -5e-324, 2 ** 53, 2 ** 53 + 2, 1e300, -1e300),
  fc.constantFrom(Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY, Number.NaN),
  fc.double(),
)
const { value: values } = fc.letrec<{ value: Json }>((tie) => ({
  value: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    { weight: 3, arbitrary: numbers },
    { weight: 3, arbitrary: texts },
    { weight: 1, arbitrary: fc.boolean() },
    { weight: 1, arbitrary: fc.constant(null) },
    { weight: 1, arbitrary: fc.array(tie('value'), { maxLength: 3 }) },
    {
      weight: 1,
      arbitrary: fc
        .array(fc.tuple(texts, tie('value')), { maxLength: 3 })
        .map((entries) => Object.fromEntries(entries)),
    },
  ),
}))
const sortValues: fc.Arbitrary<SortValue> = fc.oneof(
  { weight: 1, arbitrary: fc.constant(undefined) },
  { weight: 9, arbitrary: values },
)
const sorts: fc.Arbitrary<SortKey[]> = fc
  .array(fc.constantFrom<1 | -1>(1, -1), { minLength: 1, maxLength: 3 })
  .map((directions) => directions.map((direction, at) => ({ path: { text: `k${at}`, parts: [`k${at}`] }, direction })))
const keysOf = (sort: readonly SortKey[]) => fc.tuple(...sort.map(() => sortValues))
const pairs = sorts.chain((sort) =>
  fc.tuple(fc.constant(sort), keysOf(sort), keysOf(sort), fc.nat(3)).map(([of, a, b, same]) => {
    // Pairs that begin alike reach the later keys, and ties.
    return { sort: of, a, b: b.map((value, at) => (at < same ? a[at] : value)) }
  }),
)

describe('the bytes of a sort key', () => {
  it('are in the order of the keys', () => {
    fc.assert(
      fc.property(pairs, ({ sort, a, b }) => {
        expect(Math.sign(Buffer.compare(write(a, sort), write(b, sort)))).toBe(Math.sign(compareSortKeys(a, b, sort)))
      }),
      { numRuns: 5000 },
    )
  })

  it('never begin with the bytes of another key, so that more can follow them', () => {
    fc.assert(
      fc.property(pairs, ({ sort, a, b }) => {
        const [one, other] = [write(a, sort), write(b, sort)]
        if (compareSortKeys(a, b, sort) === 0) return
        expect(one.subarray(0, other.length).equals(other)).toBe(false)
      }),
      { numRuns: 2000 },
    )
  })

  it('tell what the key was', () => {
    fc.assert(
      fc.property(pairs, ({ sort, a }) => {
        const bytes = write(a, sort)
        const key = readKeyBytes(Buffer.concat([bytes, Buffer.from([1, 2, 3])]), sort)
        expect(compareSortKeys(key, a, sort)).toBe(0)
        expect(write(key, sort).equals(bytes)).toBe(true)
      }),
      { numRuns: 2000 },
    )
  })

  it('are not written beyond the longest that is allowed', () => {
    const sort: SortKey[] = [{ path: { text: 'k', parts: ['k'] }, direction: 1 }]
    const short = new KeyBytes(12)
    expect(short.write(['a'.repeat(10)], sort)).toHaveLength(12)
    expect(short.write(['a'.repeat(11)], sort)).toBeNull()
    expect(short.write([[1, 2]], sort)).toBeNull()
    expect(short.write([[1]], sort)).toHaveLength(11)
    expect(short.write([{ name: 'long enough' }], sort)).toBeNull()
    let deep: Json = 1
    for (let level = 0; level < 100_000; level += 1) deep = [deep]
    expect(short.write([deep], sort)).toBeNull()
    expect(short.write([null], sort)).toHaveLength(1)
  })
})
