import { bits } from './bits.ts'

/** All of the asked bits are 0. */
export const bitsAllClear = bits('$bitsAllClear', (set) => Number(set) === 0)
