import { comparison } from './comparison.ts'

/** Greater than or equal to the operand, within its type. */
export const gte = comparison('$gte', (order) => order >= 0)
