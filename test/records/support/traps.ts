import { plainKind } from '../../../src/records/plain-kind.ts'

/** A kind of an operator whose schema shows what can happen to the program: a record that takes for ever, and one that is met by a fault. */
export const TRAPS = plainKind({
  name: 'trap',
  collection: 'traps',
  schema: {
    type: 'object',
    definitions: { endless: { allOf: [{ $ref: '#/definitions/endless' }] } },
    properties: {
      slow: { type: 'string', pattern: '^(a+)+$' },
      faulty: { $ref: '#/definitions/endless' },
    },
  },
})

/** What takes for ever. */
export const ENDLESS = { slow: `${'a'.repeat(40)}!` }

/** What is met by a fault. */
export const FAULTY = { faulty: {} }
