import { comparison } from './comparison.ts'

/** Less than the operand, within its type. */
export const lt = comparison('$lt', (order) => order < 0)
