import { comparison } from './comparison.ts'

/** Less than or equal to the operand, within its type. */
export const lte = comparison('$lte', (order) => order <= 0)
