import type { Json } from '../../kernel/json.ts'
import { FORMAT_ERRORS, type Place, refusal } from './errors.ts'

/** Programs that cannot write 1 write shares this near to it. */
const WHOLE_TOLERANCE = 1e-3

/** Tells whether a share of an atom is a whole one; what is not given is. */
export function isWhole(share: Json | undefined): boolean {
  return share === undefined || share === null || (typeof share === 'number' && Math.abs(share - 1) <= WHOLE_TOLERANCE)
}

/** The refusal of sites that are shared, partly occupied, or alternatives. */
export function disordered(message: string, place: Place): Error {
  return refusal(FORMAT_ERRORS.disordered, message, {
    hint: 'A material has one whole atom on every site; choose an ordered arrangement.',
    ...place,
  })
}
