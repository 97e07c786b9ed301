import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Json, JsonObject } from '../../src/kernel/json.ts'
import { matches } from '../../src/query/filter/match.ts'
import { compareSortKeys, sortKeyOf } from '../../src/query/order/sort-key.ts'
import type { RecordStore } from '../../src/store/port/record-store.ts'
import type { DocumentSet } from '../cases/case.ts'
import type { StoreCases } from '../support/load-cases.ts'
import { documentsOf, insertion, planOf } from '../support/plans.ts'
import type { OpenTarget, StoreTarget } from '../support/targets.ts'

/** Every case of the query language means the same in a store, wherever in it the records are. */
export function languageContract({ name, open, openInSegments }: StoreTarget, cases: StoreCases): void {
  languageContractOf(`the query language in ${name}`, open, cases)
  languageContractOf(`the query language in segments of ${name}`, openInSegments, cases)
}

function languageContractOf(title: string, open: () => Promise<OpenTarget>, cases: StoreCases): void {
  describe(title, () => {
    const collections = new Map<DocumentSet, string>()
    let opened: OpenTarget
    let records: RecordStore

    beforeAll(async () => {
      opened = await open()
      records = opened.store.records
      for (const { documents } of [...cases.filters, ...cases.sorts]) {
        if (!collections.has(documents)) collections.set(documents, `set-${collections.size}`)
      }
      await Promise.all([...collections].map(([documents, collection]) => load(collection, documents)))
    })
    afterAll(() => opened.dispose())

    async function load(collection: string, documents: DocumentSet): Promise<void> {
      await records.applyEach(
        Object.entries(documents).map(([name, document]) => insertion(collection, name, document)),
      )
    }

    const collectionOf = (documents: DocumentSet): string => collections.get(documents) ?? 'unknown'

    it('has cases', () => {
      expect(cases.filters.length).toBeGreaterThan(100)
    })

    describe('filters', () => {
      it.each(cases.filters.map((example) => [example.name, example] as const))('%s', async (_, example) => {
        const plan = planOf(collectionOf(example.documents), example.filter, { limit: 500 })
        const selected = Object.keys(example.documents).filter((name) => example.selects.includes(name))
        expect(namesOf(example.documents, documentsOf(await records.find(plan)))).toEqual(selected)
        expect(await records.count(plan)).toBe(example.selects.length)
      })

      it.each(cases.filters.map((example) => [example.name, example] as const))(
        '%s, in an order',
        async (_, { documents, filter }) => {
          const { filter: parsed, sort } = planOf('any', filter, { sort: { a: -1 } })
          const expected = (JSON.parse(JSON.stringify(Object.values(documents))) as JsonObject[])
            .filter((document) => matches(parsed, document))
            .sort((a, b) => compareSortKeys(sortKeyOf(a, sort), sortKeyOf(b, sort), sort))
          const page = await records.find(planOf(collectionOf(documents), filter, { sort: { a: -1 }, limit: 500 }))
          expect(documentsOf(page)).toEqual(expected)
        },
      )
    })

    describe('sorts', () => {
      it.each(cases.sorts.map((example) => [example.name, example] as const))('%s', async (_, example) => {
        const plan = planOf(collectionOf(example.documents), {}, { sort: example.sort, limit: 500 })
        expect(namesOf(example.documents, documentsOf(await records.find(plan)))).toEqual(example.order)
      })
    })

    describe('fields', () => {
      it.each(cases.fields.map((example, index) => [example.name, example, index] as const))(
        '%s',
        async (_, example, index) => {
          const collection = `fields-${index}`
          await records.apply([insertion(collection, 'x', example.document)])
          const page = await records.find(planOf(collection, example.filter ?? {}, { fields: example.fields }))
          // Compared as text: the order of fields is part of the answer.
          expect(page.documents.toString()).toBe(JSON.stringify([example.gives]))
        },
      )
    })

    describe('fields, of which there are none to give', () => {
      it.each(cases.fieldsFailures.map((example, index) => [example.name, example, index] as const))(
        '%s',
        async (_, { document, filter, fields, code }, index) => {
          const collection = `fields-failure-${index}`
          await records.apply([insertion(collection, 'x', document)])
          await expect(records.find(planOf(collection, filter, { fields }))).rejects.toMatchObject({ code })
        },
      )
    })

    describe('expressions', () => {
      const ofDocument = new Map<JsonObject, string>()

      it.each(cases.expressions.map((example) => [example.name, example] as const))(
        '%s',
        async (_, { document, expression, gives }) => {
          const collection = ofDocument.get(document) ?? `expressions-${ofDocument.size}`
          if (!ofDocument.has(document)) await records.apply([insertion(collection, 'x', document)])
          ofDocument.set(document, collection)
          expect(await records.count(planOf(collection, { $expr: giving(expression, gives) }))).toBe(1)
        },
      )
    })
  })
}

/** Asks whether an expression gives a value; numbers may differ in the last digits. */
function giving(expression: Json, gives: Json | 'missing'): Json {
  if (gives === 'missing') return { $eq: [{ $type: expression }, 'missing'] }
  if (typeof gives !== 'number') return { $eq: [expression, { $literal: gives }] }
  return { $lte: [{ $abs: { $subtract: [expression, gives] } }, 1e-12] }
}

/** Names documents by their content; equal documents go by the order of the set. */
function namesOf(documents: DocumentSet, found: readonly JsonObject[]): string[] {
  const unused = Object.entries(documents).map(([name, document]) => ({ name, text: JSON.stringify(document) }))
  return found.map((document) => {
    const index = unused.findIndex(({ text }) => text === JSON.stringify(document))
    return unused.splice(index, 1)[0]?.name ?? `unknown ${JSON.stringify(document)}`
  })
}
