import { readdirSync } from 'node:fs'
import type { ExpressionCase, FieldsCase, FieldsFailureCase, FilterCase, SortCase } from '../cases/case.ts'

const CASES = new URL('../cases/', import.meta.url)

/** Every case of the language that a store can run, from all files of `test/cases`. */
export interface StoreCases {
  readonly filters: readonly FilterCase[]
  readonly sorts: readonly SortCase[]
  readonly fields: readonly FieldsCase[]
  readonly fieldsFailures: readonly FieldsFailureCase[]
  readonly expressions: readonly ExpressionCase[]
}

/** By which fields the cases of each list are told apart. */
const MARKS: { readonly [List in keyof StoreCases]: readonly string[] } = {
  filters: ['documents', 'selects'],
  sorts: ['documents', 'order'],
  fields: ['fields', 'gives'],
  fieldsFailures: ['document', 'fields', 'code'],
  expressions: ['expression', 'gives'],
}

/** Reads the lists of cases that the files export, told apart by what the cases ask. */
export async function loadCases(): Promise<StoreCases> {
  const items: object[] = []
  for (const file of readdirSync(CASES)
    .filter((name) => name.endsWith('.cases.ts'))
    .sort()) {
    const exported = (await import(new URL(file, CASES).href)) as Record<string, unknown>
    items.push(...(Object.values(exported).filter(Array.isArray).flat() as object[]))
  }
  const lists = Object.entries(MARKS).map(([list, marks]) => [list, items.filter((item) => hasAll(item, marks))])
  return Object.fromEntries(lists) as unknown as StoreCases
}

function hasAll(item: unknown, keys: readonly string[]): boolean {
  return typeof item === 'object' && item !== null && keys.every((key) => Object.hasOwn(item, key))
}
