import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Session } from '../../src/accounts/session.ts'
import type { Json } from '../../src/kernel/json.ts'
import type { ImportReport } from '../../src/records/import/import-item.ts'
import { type ImportOptions, importRecords } from '../../src/records/import/import-records.ts'
import { readImportItems } from '../../src/records/import/read-import-items.ts'
import { methodKind } from '../../src/records/kinds/plain-kinds.ts'
import { plainKind } from '../../src/records/plain-kind.ts'
import { countRecords, exportRecords, getRecord } from '../../src/records/use-cases/read-records.ts'
import { logToLines } from '../support/log-lines.ts'
import { documentOf, openRecordRoom, type RecordRoom, request, silicon } from './support/record-room.ts'
import { refusalOf } from './support/refusal.ts'
import { FAULTY, TRAPS } from './support/traps.ts'

/** A file that comes in pieces of so many bytes. */
async function* file(text: string | Uint8Array, size = 7): AsyncGenerator<Uint8Array> {
  const bytes = Buffer.from(text as string)
  for (let from = 0; from < bytes.length; from += size) yield bytes.subarray(from, from + size)
}

/** What a test says of an item: its line, and its text or what is wrong with it. */
interface Told {
  readonly line: number
  readonly text?: string
  readonly fault?: string
}

async function itemsOf(text: string, size?: number, longest?: number): Promise<Told[]> {
  const items: Told[] = []
  for await (const item of readImportItems(file(text, size), longest)) {
    const { line } = item.place as { line: number }
    if ('json' in item) items.push({ line, text: Buffer.from(item.json).toString() })
    else if ('refusal' in item) items.push({ line, fault: item.refusal.message })
  }
  return items
}

describe('the records of a file', () => {
  const FILES: readonly (readonly [what: string, text: string, items: readonly Told[]])[] = [
    [
      'one a line',
      '{"a":1}\n\n{"b":"}\\n"}\r\n {"c":3}',
      [
        { line: 1, text: '{"a":1}' },
        { line: 3, text: '{"b":"}\\n"}' },
        { line: 4, text: '{"c":3}' },
      ],
    ],
    [
      'one line that is broken',
      '{"a":1}\n{"a":\n{"b":2}\n',
      [
        { line: 1, text: '{"a":1}' },
        { line: 2, text: '{"a":' },
        { line: 3, text: '{"b":2}' },
      ],
    ],
    [
      'a broken first line',
      'x\n{"b":2}\n',
      [
        { line: 1, text: 'x' },
        { line: 2, text: '{"b":2}' },
      ],
    ],
    [
      'an array',
      '\n[ {"a":[1,2]},\n{"b":"],["} ]\n',
      [
        { line: 2, text: '{"a":[1,2]}' },
        { line: 3, text: '{"b":"],["}' },
      ],
    ],
    ['an empty array', '[ \n ]', []],
    [
      'an array with a hole',
      '[{},\n,{}]',
      [
        { line: 1, text: '{}' },
        { line: 2, fault: 'There is no record before this ,.' },
        { line: 2, text: '{}' },
      ],
    ],
    [
      'an array with a comma too many',
      '[{},]',
      [
        { line: 1, text: '{}' },
        { line: 1, fault: 'There is no record before this ].' },
      ],
    ],
    [
      'an array that is cut off',
      '[{"a":1},\n{"b"',
      [
        { line: 1, text: '{"a":1}' },
        { line: 2, fault: 'The array is never closed: the file may be cut off here.' },
      ],
    ],
    [
      'an array with more behind it',
      '[{}] {}',
      [
        { line: 1, text: '{}' },
        { line: 1, fault: 'Something follows the end of the array.' },
      ],
    ],
    [
      'objects over several lines',
      '{\n "a": {}\n}\n{\n "b": 2 }',
      [
        { line: 1, text: '{\n "a": {}\n}' },
        { line: 4, text: '{\n "b": 2 }' },
      ],
    ],
    ['one object over several lines, cut off', '{\n "a": 1\n', [{ line: 1, text: '{\n "a": 1' }]],
    ['nothing', ' \n', []],
    ['a byte order mark and letters of several bytes', '\ufeff{"a":"Å𝛼"}', [{ line: 1, text: '{"a":"Å𝛼"}' }]],
  ]

  test.each(FILES)('%s', async (_, text, items) => {
    for (const size of [1, 2, 1000]) expect(await itemsOf(text, size)).toEqual(items)
  })

  test('that are too long are passed over without being kept', async () => {
    const fault = 'The record is longer than 10 bytes.'
    for (const [open, between, close] of [
      ['', '\n', ''],
      ['[', ',\n', ']'],
    ] as const) {
      const text = open + ['{"a":1}', `{"b":"${'x'.repeat(50)}"}`, '{"c":3}'].join(between) + close
      expect(await itemsOf(text, 5, 10)).toEqual([
        { line: 1, text: '{"a":1}' },
        { line: expect.any(Number), fault },
        { line: 3, text: '{"c":3}' },
      ])
    }
  })

  test('are refused as a whole when the file is not UTF-8', async () => {
    const bytes = Buffer.from([...Buffer.from('{"a":1}\n'), 0xff, 0xfe])
    const read = async () => {
      for await (const _ of readImportItems(file(bytes, 4)));
    }
    const refusal = await refusalOf(read)
    expect(refusal.code).toBe(40053)
    expect(refusal.message).toContain('UTF-8')
  })
})

describe('an import', () => {
  let room: RecordRoom
  beforeAll(async () => {
    room = await openRecordRoom()
  })
  afterAll(() => room.close())

  async function run(
    records: readonly (Json | string)[],
    options: ImportOptions = {},
    session = room.ada,
  ): Promise<ImportReport[]> {
    const text = records.map((record) => (typeof record === 'string' ? record : JSON.stringify(record))).join('\n')
    const results: ImportReport[] = []
    for await (const result of importRecords(room.deps, session, readImportItems(file(text, 4096)), options))
      results.push(result)
    return results
  }

  test('stores what is right, refuses what is wrong, and reports line by line', async () => {
    const results = await run([
      silicon({ name: 'imported', _id: 'kept-id_1' }),
      { type: 'pseudopotential', subtype: 'us' },
      '{"basis":',
      '[]',
      { name: 'neither' },
      silicon({ basis: { elements: [], coordinates: [] } }),
      silicon({ _id: 'no good' }),
      silicon({ _id: 'default' }),
      '{"type":"a","type":"b","subtype":"c"}',
      '{"type":"a","subtype":"c","data":{"n":9007199254740993}}',
    ])
    expect(results.map(({ line, outcome, error }) => [line, outcome, error?.code])).toEqual([
      [1, 'stored', undefined],
      [2, 'stored', undefined],
      [3, 'refused', 40053],
      [4, 'refused', 40053],
      [5, 'refused', 40053],
      [6, 'refused', 42201],
      [7, 'refused', 40053],
      [8, 'refused', 40053],
      [9, 'refused', 40053],
      [10, 'refused', 40053],
    ])
    expect(results[0]).toEqual({
      line: 1,
      outcome: 'stored',
      collection: 'materials',
      _id: 'kept-id_1',
      withoutSymmetry: 'it is switched off',
    })
    expect(results[9]?.error?.message).toContain('9007199254740993')
    const stored = await getRecord(room.materials(room.ada), 'kept-id_1')
    expect(documentOf(stored)).toMatchObject({
      name: 'imported',
      formula: 'Si',
      owner: { slug: 'ada' },
      isPublic: false,
    })
    const method = await getRecord(room.methods(room.ada), String(results[1]?._id))
    expect(documentOf(method)).toMatchObject({ name: 'pseudopotential/us' })
  })

  test('stores nothing twice when it is run again, with ids and without', async () => {
    const records = Array.from({ length: 450 }, (_, index) => {
      const id = index % 2 === 0 ? { _id: `again-${index}` } : {}
      return { type: 'again', subtype: String(index), ...id }
    })
    expect(new Set((await run(records)).map(({ outcome }) => outcome))).toEqual(new Set(['stored']))
    const again = await run(records)
    expect(new Set(again.map(({ outcome }) => outcome))).toEqual(new Set(['skipped']))
    expect(again.map(({ line }) => line)).toEqual(records.map((_, index) => index + 1))
    expect(await countRecords(room.methods(room.ada), request({ type: 'again' }))).toBe(450)
    // The same record of another account is another record.
    expect((await run([{ type: 'again', subtype: '1' }], {}, room.bob))[0]?.outcome).toBe('stored')
  })

  test("goes on after a fault that one record meets, which is that record's line and in the log", async () => {
    const { log, lines } = logToLines()
    const deps = { ...room.depsWith({ operatorKinds: [TRAPS] }), log }
    const records = Array.from({ length: 450 }, (_, n) => (n === 212 ? FAULTY : { n }))
    const items = readImportItems(file(records.map((record) => `${JSON.stringify(record)}\n`).join(''), 4096))
    const results: ImportReport[] = []
    for await (const result of importRecords(deps, room.ada, items, { kind: plainKind(TRAPS) })) results.push(result)
    expect(results.flatMap(({ outcome, line, error }) => (outcome === 'stored' ? [] : [[line, error?.code]]))).toEqual([
      [213, 50040],
    ])
    expect(results).toHaveLength(450)
    expect(lines).toMatchObject([{ event: 'record.failed', err: { stack: expect.stringContaining('RangeError') } }])
  })

  test('refuses the id of a public record of another account, which it does not touch', async () => {
    await run([{ _id: 'of-bob', type: 'a', subtype: 'b', isPublic: true }], {}, room.bob)
    const [result] = await run([{ _id: 'of-bob', type: 'a', subtype: 'changed' }])
    expect(result).toMatchObject({ outcome: 'refused', error: { code: 40902 } })
    expect(documentOf(await getRecord(room.methods(room.bob), 'of-bob')).subtype).toBe('b')
  })

  test('takes an id that a private record of another account has, which it does not touch', async () => {
    await run([{ _id: 'in-private', type: 'a', subtype: 'of bob' }], {}, room.bob)
    const [result] = await run([{ _id: 'in-private', type: 'a', subtype: 'of ada' }])
    expect(result).toMatchObject({ outcome: 'stored', _id: 'in-private' })
    const subtypeFor = async (session: Session) =>
      documentOf(await getRecord(room.methods(session), 'in-private')).subtype
    expect([await subtypeFor(room.ada), await subtypeFor(room.bob)]).toEqual(['of ada', 'of bob'])
  })

  test('takes its options over what the records say', async () => {
    const both = { ...silicon(), type: 'a', subtype: 'b', isPublic: false, createdAt: '2001-02-03T04:05:06Z' }
    const [asMethod] = await run([both], { kind: methodKind, isPublic: true })
    const record = await getRecord(room.methods(room.bob), String(asMethod?._id))
    expect(record.isPublic).toBe(true)
    expect(documentOf(record).createdAt).toBe('2001-02-03T04:05:06.000Z')
    const [future] = await run([{ ...both, createdAt: '2999-01-01T00:00:00Z' }])
    expect(documentOf(await getRecord(room.materials(room.ada), String(future?._id))).createdAt).toBe(
      '2024-05-06T07:08:09.010Z',
    )
  })

  test('takes back what an export gave, byte for byte but for the times and people', async () => {
    const other = await openRecordRoom()
    try {
      await run([silicon({ _id: 'round-trip', tags: ['round-trip'], custom: { a: [1, { b: null }] } })])
      const items = readImportItems(exportRecords(room.materials(room.ada), request({ tags: 'round-trip' })))
      for await (const result of importRecords(other.deps, other.ada, items)) expect(result.outcome).toBe('stored')
      const [before, after] = await Promise.all(
        [room, other].map(({ deps, ada }) => getRecord(room.materials(ada, deps), 'round-trip')),
      )
      expect(after?.text).toBe(before?.text)
    } finally {
      await other.close()
    }
  })

  test('is refused to a token that may only read', async () => {
    expect((await refusalOf(() => run([silicon()], {}, room.reader))).code).toBe(40301)
  })
})
