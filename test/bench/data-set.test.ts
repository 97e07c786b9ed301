import { describe, expect, it } from 'vitest'
import { documentMaker, lineOf, splitLine } from '../../bench/corpus/documents.ts'
import { type BenchRecord, pick } from '../../bench/corpus/expected.ts'
import type { Prototype } from '../../bench/corpus/prototypes.ts'
import { ASKED, type AskedWorkload, judgedListsOf } from '../../bench/never-asked.ts'
import { FIELD_QUESTIONS, QUERY_TABLE } from '../../bench/query-table.ts'
import { listTarget } from '../../bench/servers/contestant.ts'
import { isJsonObject, type Json, type JsonObject } from '../../src/kernel/json.ts'
import { isId } from '../../src/kernel/names.ts'
import { materialKind } from '../../src/records/kinds/material/material-kind.ts'

const crystal = (name: string, type: string, a: number, elements: readonly string[]): Prototype => ({
  name,
  lattice: { type, a, b: a, c: a, alpha: 90, beta: 90, gamma: 90 },
  sites: elements.map((element, index) => ({ element, coordinate: [index / 4, 0, 0] })),
  tags: ['sample'],
  metadata: {},
})

const prototypes = [crystal('Gold', 'CUB', 4.08, ['Au']), crystal('Quartz', 'FCC', 5.1, ['Si', 'O', 'O'])]
const { record, body } = documentMaker({ seed: 7, prototypes })
const records = await Promise.all(
  Array.from({ length: 3000 }, async (_, serial): Promise<BenchRecord> => JSON.parse(lineOf(await record(serial)))),
)
const share = (count: number): number => count / records.length

describe('the data set', () => {
  it('makes the same document from the same seed and serial, in any order', async () => {
    const again = documentMaker({ seed: 7, prototypes })
    expect(JSON.parse(lineOf(await again.record(1234)))).toEqual(records[1234])
    const other = documentMaker({ seed: 8, prototypes })
    expect((await other.record(1234)).id).not.toBe(records[1234]?.id)
  })

  it('gives every record its own id and name', () => {
    expect(new Set(records.map(({ id }) => id)).size).toBe(records.length)
    expect(new Set(records.map(({ document }) => document.name)).size).toBe(records.length)
    expect(records.every(({ id }) => isId(id))).toBe(true)
  })

  it('has the shares that the workloads count on', () => {
    const documents = records.map(({ document }) => document)
    const asker = records.map(({ document }) => (document.owner as JsonObject).slug).filter((slug) => slug === 'bench')
    expect(share(asker.length)).toBeCloseTo(0.5, 1)
    expect(share(records.filter(({ isPublic }) => isPublic).length)).toBeCloseTo(0.3, 1)
    expect(share(documents.filter(({ lattice }) => lattice.type === 'FCC').length)).toBeCloseTo(0.3, 1)
    expect(share(documents.filter(({ bench }) => bench.converged).length)).toBeCloseTo(0.4, 1)
    expect(new Set(records.map(({ accountId }) => accountId)).size).toBe(201)
  })

  it('splits a line into what the store is given', async () => {
    const generated = await record(5)
    expect(splitLine(lineOf(generated).trimEnd())).toEqual(generated)
  })

  it('makes documents that a server finds nothing to do about by itself', () => {
    expect(records.filter(({ document }) => materialKind.gaveUpMs?.(document as JsonObject) !== null)).toEqual([])
  })

  it('makes bodies that the server would take', () => {
    for (let serial = 0; serial < 50; serial += 1) {
      expect(materialKind.check(body(serial), () => true)).toEqual([])
    }
  })
})

describe('the workloads', () => {
  it('ask for paths that documents have', () => {
    for (const workload of [...ASKED, ...QUERY_TABLE].flatMap(judgedListsOf)) {
      const paths = [...Object.keys(workload.projection.sort), ...Object.keys(workload.projection.fields ?? {})]
      for (const path of paths) {
        const value = path
          .split('.')
          .reduce<Json | undefined>((at, step) => (isJsonObject(at) ? at[step] : undefined), records[0]?.document)
        expect(value, `${workload.id}: ${path}`).toBeDefined()
      }
    }
  })

  it('ask no address twice where nothing is to be remembered, and time no filter that another form or the warm-up has asked', () => {
    const forms = ASKED.flatMap((workload) => (workload.kind === 'new lists' ? [workload] : []))
    expect(forms.map(({ id }) => id)).toEqual(['NB', 'NC', 'NF', 'NF5', 'N2'])
    const repeated = ASKED.flatMap((workload: AskedWorkload) => (workload.kind === 'list' ? [workload] : []))
    const addresses = [...repeated, ...forms.flatMap(({ warming, timed }) => [...warming, ...timed])].map((list) =>
      listTarget('', list),
    )
    expect(new Set(addresses).size).toBe(addresses.length)
    const filters = [...repeated.slice(0, 1), ...forms.flatMap(({ timed }) => timed)].map(({ query }) =>
      JSON.stringify(query),
    )
    expect(new Set(filters).size).toBe(filters.length)
    const warming = new Set(forms.flatMap(({ warming }) => warming).map(({ query }) => JSON.stringify(query)))
    expect(filters.filter((filter) => warming.has(filter))).toEqual([])
  })

  it('ask for what there is, in all forms', () => {
    for (const list of ASKED.flatMap(judgedListsOf)) {
      const answered = records.filter(({ document }) => list.selects(document)).length
      if (!list.id.startsWith('NF')) expect(answered, list.id).toBeGreaterThan(0)
    }
  })

  it('have a question of its own about each field of the query table', () => {
    const pathsOf = (query: JsonObject): readonly string[] =>
      Object.entries(query).flatMap(([key, value]) => {
        if (key === '$or') return (value as readonly JsonObject[]).flatMap(pathsOf)
        return key === '$expr' ? ['bench.group', 'bench.rare'] : [key]
      })
    const paths = QUERY_TABLE.flatMap(({ query, projection }) => [...pathsOf(query), ...Object.keys(projection.sort)])
    expect([...new Set(paths)].sort()).toEqual(FIELD_QUESTIONS.map(({ field }) => field).sort())
  })

  it('keep _id and the fields that were asked for', () => {
    const document = { _id: 'x', name: 'n', lattice: { a: 1, b: 2, c: 3 }, tags: ['t'] }
    const fields = { name: 1, 'lattice.a': 1, 'lattice.b': 1 } as const
    expect(pick(document, fields)).toEqual({ _id: 'x', name: 'n', lattice: { a: 1, b: 2 } })
    expect(pick(document, undefined)).toBe(document)
  })
})
