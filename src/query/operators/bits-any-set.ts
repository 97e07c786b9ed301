import { bits } from './bits.ts'

/** At least one of the asked bits is 1. */
export const bitsAnySet = bits('$bitsAnySet', (set) => Number(set) !== 0)
