import { isJsonArray, type Json } from '../../kernel/json.ts'
import type { FieldKind } from './field-knowledge.ts'

const WORDS: Readonly<Record<FieldKind, string>> = {
  null: 'null',
  number: 'a number',
  string: 'a text',
  boolean: 'true or false',
  array: 'a list',
  object: 'an object',
}

/** The kind of a value. */
export function kindOfValue(value: Json): FieldKind {
  if (value === null) return 'null'
  if (typeof value === 'object') return isJsonArray(value) ? 'array' : 'object'
  return typeof value as 'number' | 'string' | 'boolean'
}

export function kindInWords(kind: FieldKind): string {
  return WORDS[kind]
}

/** `a number or a text`; a list counts only where nothing else tells what is in it. */
export function kindsInWords(kinds: ReadonlySet<FieldKind>): string {
  const told = [...kinds].filter((kind) => kind !== 'array' || kinds.size === 1)
  return told.map(kindInWords).join(' or ')
}
