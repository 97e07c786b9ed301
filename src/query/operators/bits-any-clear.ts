import { bits } from './bits.ts'

/** At least one of the asked bits is 0. */
export const bitsAnyClear = bits('$bitsAnyClear', (set, asked) => set !== asked)
