import { type FieldNames, MATERIAL_FIELDS, RECORD_FIELDS } from './field-names.ts'

/** What a line can speak of. */
export interface Vocabulary extends FieldNames {
  /** Whether records have elements, and with them all that crystals have. */
  readonly hasElements: boolean
  /** In which fields words are looked for. */
  readonly words: readonly string[]
}

/** Where materials have words. */
export const MATERIAL_WORDS: readonly string[] = [
  'name',
  'formula',
  'tags',
  'prototype.name',
  'prototype.strukturbericht',
  'description',
]

/** Where all records have them. */
export const RECORD_WORDS: readonly string[] = ['name', 'tags', 'description']

export const MATERIAL_VOCABULARY: Vocabulary = {
  hasElements: true,
  words: MATERIAL_WORDS,
  aliases: MATERIAL_FIELDS,
  fields: [],
}

export const RECORD_VOCABULARY: Vocabulary = {
  hasElements: false,
  words: RECORD_WORDS,
  aliases: RECORD_FIELDS,
  fields: [],
}
