import type { OperandParser } from './operator.ts'

/** A note for the people who read the query; it asks nothing. */
export const comment: OperandParser = { parse: () => null }
