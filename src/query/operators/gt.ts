import { comparison } from './comparison.ts'

/** Greater than the operand, within its type. */
export const gt = comparison('$gt', (order) => order > 0)
