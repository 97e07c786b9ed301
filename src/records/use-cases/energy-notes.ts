import { HULL_NAMES } from '../diagrams/hull-properties.ts'
import { staleHullsOf } from '../diagrams/stale-hulls.ts'
import { materialKind } from '../kinds/material/material-kind.ts'
import { propertyKind } from '../kinds/property/property-kind.ts'
import type { Step } from '../work/step.ts'
import type { Afterwards } from './write.ts'

const NAMES: ReadonlySet<string> = new Set(['total_energy', ...HULL_NAMES])

/** Notes the materials of which an energy came or went, or that changed themselves: what follows from that is computed later, once for many. */
export const noteEnergies: Afterwards = ({ store }, { steps }) => {
  const stale = staleHullsOf(store)
  for (const step of steps) {
    // What the program wrote of it by itself is what it should be.
    if (step.change.follows !== true) stale.note(step.change.accountId, materialsOf(step))
  }
  return Promise.resolve()
}

function materialsOf({ change, before, after }: Step): readonly string[] {
  // A new material comes without energies; they follow as properties.
  if (change.collection === materialKind.collection) return change.action === 'insert' ? [] : [change.id]
  if (change.collection !== propertyKind.collection) return []
  const properties = [before, after].flatMap((one) => one?.property ?? [])
  return properties.filter(({ name }) => NAMES.has(name)).flatMap(({ materials }) => materials)
}
