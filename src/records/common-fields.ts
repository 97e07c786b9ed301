import type { JsonObject } from '../kernel/json.ts'

/** Longest name of a record and longest tag, in UTF-16 code units. */
export const LONGEST_NAME = 1024

/** JSON Schema of the fields that records of every kind may carry. */
export const COMMON_PROPERTIES: JsonObject = {
  name: { type: 'string', maxLength: LONGEST_NAME, description: 'what people call the record' },
  tags: {
    type: 'array',
    maxItems: 1000,
    items: { type: 'string', maxLength: LONGEST_NAME },
    description: 'labels to find it by',
  },
  description: { type: 'string', description: 'text in Markdown' },
  isPublic: { type: 'boolean', default: false, description: 'whether every account may read it' },
  owner: {
    type: ['object', 'null'],
    properties: { _id: { type: ['string', 'null'] } },
    description: 'the account that it belongs to',
  },
}

/** Joins the check of the fields that all kinds share to the schema of one. */
export const COMMON_SCHEMA: JsonObject = { type: 'object', properties: COMMON_PROPERTIES }
