import { afterEach, describe, expect, test } from 'vitest'
import type { JsonObject } from '../../src/kernel/json.ts'
import type { BuildOutcome, BuildTerms, RecordInput } from '../../src/records/work/record-input.ts'
import {
  buildOne,
  buildRecords,
  RecordThreads,
  type RecordThreadsOptions,
} from '../../src/records/work/record-threads.ts'
import { fieldsOf, withFields } from '../../src/records/work/stored-text.ts'
import { logToLines } from '../support/log-lines.ts'
import { silicon } from './support/record-room.ts'
import { refusalOf } from './support/refusal.ts'
import { slowCrystal } from './support/slow-crystal.ts'
import { ENDLESS, FAULTY, TRAPS } from './support/traps.ts'

const opened: RecordThreads[] = []
afterEach(() => Promise.all(opened.splice(0).map((work) => work.close())))

function workWith(options: RecordThreadsOptions = {}): RecordThreads {
  const work = new RecordThreads({ threads: 1, ...options })
  opened.push(work)
  return work
}

const TERMS: BuildTerms = {
  purpose: 'import',
  account: { id: 'account', slug: 'ada' },
  user: { id: 'user', slug: 'ada' },
  now: Date.parse('2024-05-06T07:08:09.010Z'),
}

const draft = (document: JsonObject): RecordInput => ({ source: { json: Buffer.from(JSON.stringify(document)) } })

const OF_TRAPS: BuildTerms = { ...TERMS, collection: 'traps' }

const shortly = (outcomes: readonly BuildOutcome[]) =>
  outcomes.map((outcome) =>
    'built' in outcome
      ? (outcome.built.withoutSymmetry ?? 'built')
      : 'refusal' in outcome
        ? outcome.refusal.spec.code
        : 'fault',
  )

describe('the threads that make records', () => {
  test('make a material with its symmetry, and say what the rest of the server has to know', async () => {
    const [outcome] = await buildRecords(workWith(), 'ada', [draft(silicon({ isPublic: true }))], TERMS)
    expect(outcome).toMatchObject({
      built: {
        collection: 'materials',
        isPublic: true,
        content: expect.stringMatching(/^[0-9a-f]{32}$/),
        after: {
          bank: { collection: 'bank-materials', entry: expect.stringContaining('"formula":"Si"') },
          property: null,
        },
        withoutSymmetry: null,
      },
    })
    const text = outcome !== undefined && 'built' in outcome ? outcome.built.text : ''
    expect(JSON.parse(text)).toMatchObject({ formula: 'Si', spaceGroup: { number: 227 }, owner: { _id: 'account' } })
  })

  test('keep the order of what they are given, whatever becomes of each', async () => {
    const documents = Array.from({ length: 130 }, (_, n) =>
      n % 7 === 3 ? { name: 'neither' } : { type: 'method', subtype: String(n) },
    )
    const outcomes = await buildRecords(workWith({ threads: 2 }), 'ada', documents.map(draft), TERMS)
    expect(shortly(outcomes)).toEqual(documents.map((_, n) => (n % 7 === 3 ? 40053 : 'built')))
    const names = outcomes.flatMap((one) => ('built' in one ? [JSON.parse(one.built.text).subtype] : []))
    expect(names).toEqual(documents.flatMap((_, n) => (n % 7 === 3 ? [] : [String(n)])))
  })

  test('store what takes too long without its symmetry, and nothing else', async () => {
    const { log, lines } = logToLines()
    const work = workWith({ symmetry: { timeLimitMs: 300 }, log })
    const batch = [silicon(), slowCrystal(), silicon({ name: 'after' })]
    expect(shortly(await buildRecords(work, 'ada', batch.map(draft), TERMS))).toEqual([
      'built',
      'it took longer than 300 ms',
      'built',
    ])
    expect(lines).toMatchObject([{ event: 'symmetry.failed', reason: 'it took longer than 300 ms' }])
  })

  test('refuse the one record of a batch that does not come to an end', async () => {
    const { log, lines } = logToLines()
    const work = workWith({ operatorKinds: [TRAPS], timeLimitMs: 300, log })
    const batch = [{ slow: 'aaa' }, { slow: 'a' }, ENDLESS, { slow: 'aa' }]
    const outcomes = await buildRecords(work, 'ada', batch.map(draft), OF_TRAPS)
    expect(shortly(outcomes)).toEqual(['built', 'built', 42203, 'built'])
    expect(outcomes[2]).toMatchObject({
      refusal: { message: 'Reading this was given up: it took longer than 300 ms of processor time.' },
    })
    expect(lines.every(({ event }) => event === 'record.ended')).toBe(true)
  })

  test('tell a fault of the program as the outcome of its record', async () => {
    const work = workWith({ operatorKinds: [TRAPS] })
    const outcomes = await buildRecords(work, 'ada', [{ a: 1 }, FAULTY, { b: 2 }].map(draft), OF_TRAPS)
    expect(shortly(outcomes)).toEqual(['built', 'fault', 'built'])
    expect(outcomes[1]).toMatchObject({ fault: expect.stringContaining('RangeError') })
  })

  test('refuse a single record that does not come to an end', async () => {
    const work = workWith({ operatorKinds: [TRAPS], timeLimitMs: 300 })
    const refusal = await refusalOf(() => buildOne(work, 'ada', draft(ENDLESS), OF_TRAPS))
    expect(refusal).toMatchObject({ code: 42203, data: { hint: expect.stringContaining('recordTimeMs') } })
  })

  test('make an update, or say that it took too long', async () => {
    const work = workWith({ operatorKinds: [TRAPS], timeLimitMs: 300 })
    const stored = { collection: 'traps', text: '{"_id":"a","slow":"a"}', isPublic: false, user: TERMS.user, now: 0 }
    const update = (changes: JsonObject) =>
      work.run('revise', 'ada', { ...stored, action: 'update', edit: { update: changes } })
    expect(await update({ slow: 'aa' })).toMatchObject({ text: expect.stringContaining('"slow":"aa"'), before: null })
    expect(await update({})).toBeNull()
    expect((await refusalOf(() => update(ENDLESS))).code).toBe(42203)
  })

  test('analyze a structure without its symmetry when that takes too long', async () => {
    const work = workWith({ symmetry: { timeLimitMs: 100 } })
    const cell = slowCrystal()
    const analysis = JSON.parse(
      await work.run('analyze', 'ada', { file: { text: JSON.stringify(cell), format: 'material' } }),
    )
    expect(analysis).toMatchObject({ formula: 'Po', sites: 3768, symmetry: null })
    expect(JSON.stringify(analysis.consistencyChecks)).toContain('it took longer than 100 ms')
  })

  test('look into long texts of stored records, and change their fields', async () => {
    const work = workWith()
    const text = JSON.stringify({ _id: 'long', isDefault: false, description: 'x'.repeat(100_000) })
    expect(await fieldsOf(work, 'ada', text, ['isDefault', 'missing'])).toEqual({ isDefault: false })
    const changed = await withFields(work, 'ada', text, { isDefault: true })
    expect(changed).toBe(text.replace('false', 'true'))
    expect(work.metrics.done).toBe(2)
  })

  test('say that the server stops to whoever asks after it has', async () => {
    const work = workWith()
    await work.close()
    expect((await refusalOf(() => buildOne(work, 'ada', draft(silicon()), TERMS))).code).toBe(50304)
  })
})
