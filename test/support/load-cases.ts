import { readdirSync } from 'node:fs'
import type { FieldsCase, FilterCase, SortCase } from '../cases/case.ts'

const CASES = new URL('../cases/', import.meta.url)

/** Every case of the language that a store can run, from all files of `test/cases`. */
export interface StoreCases {
  readonly filters: readonly FilterCase[]
  readonly sorts: readonly SortCase[]
  readonly fields: readonly FieldsCase[]
}

/** Reads the lists of cases that the files export, told apart by what the cases ask. */
export async function loadCases(): Promise<StoreCases> {
  const filters: FilterCase[] = []
  const sorts: SortCase[] = []
  const fields: FieldsCase[] = []
  for (const file of readdirSync(CASES)
    .filter((name) => name.endsWith('.cases.ts'))
    .sort()) {
    const exported = (await import(new URL(file, CASES).href)) as Record<string, unknown>
    for (const item of Object.values(exported).filter(Array.isArray).flat() as object[]) {
      if (has(item, 'documents') && has(item, 'selects')) filters.push(item as FilterCase)
      else if (has(item, 'documents') && has(item, 'order')) sorts.push(item as SortCase)
      else if (has(item, 'fields') && has(item, 'gives')) fields.push(item as FieldsCase)
    }
  }
  return { filters, sorts, fields }
}

function has(item: unknown, key: string): boolean {
  return typeof item === 'object' && item !== null && Object.hasOwn(item, key)
}
