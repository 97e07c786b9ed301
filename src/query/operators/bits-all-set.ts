import { bits } from './bits.ts'

/** All of the asked bits are 1. */
export const bitsAllSet = bits('$bitsAllSet', (set, asked) => set === asked)
