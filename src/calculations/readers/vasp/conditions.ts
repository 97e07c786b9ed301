import { type JsonObject, ownField } from '../../../kernel/json.ts'
import type { Conditions } from '../../calculation.ts'

/** The tag IBRION of dynamics; -1 moves nothing (VASP Wiki, IBRION). */
const DYNAMICS = 0
/** From this on, the tag ICHARG keeps the density that was read or made (VASP Wiki, ICHARG). */
const FIXED_DENSITY = 10

/** Conditions of a run by its tags, and by the electrons of the neutral atoms. */
export function conditionsOf(tags: JsonObject, neutral: number | null): Conditions {
  const [way, steps, density, electrons] = ['IBRION', 'NSW', 'ICHARG', 'NELECT'].map((name) => ownField(tags, name))
  return {
    isDynamics: way === DYNAMICS && typeof steps === 'number' && steps > 0,
    isDensityFixed: typeof density === 'number' && density >= FIXED_DENSITY,
    ...(neutral === null || typeof electrons !== 'number' ? {} : { charge: neutral - electrons }),
  }
}
