import type { Crystal } from '../crystal.ts'
import type { Vector3 } from '../linear-algebra.ts'
import { mixturesOf } from '../symmetry/mixtures.ts'
import { type Places, placesIn } from './nearest-distances.ts'

/** The places of a crystal by what is there. */
export interface SpeciesPlaces extends Places {
  /** Sorted by name. */
  readonly species: ReadonlyMap<string, readonly Vector3[]>
}

/** A crystal whose sites are each one species: what shares a site is a mixture, with a name of its own. */
export function withMixtures(crystal: Pick<Crystal, 'lattice' | 'sites'>): Pick<Crystal, 'lattice' | 'sites'> {
  return mixturesOf(crystal)?.cell ?? crystal
}

/** Sorts the sites of a crystal by species. */
export function speciesPlaces(crystal: Pick<Crystal, 'lattice' | 'sites'>): SpeciesPlaces {
  const { lattice, sites } = withMixtures(crystal)
  const places = placesIn(
    lattice,
    sites.map(({ fraction }) => fraction),
  )
  const species = new Map<string, Vector3[]>()
  for (const name of [...new Set(sites.map(({ element }) => element))].sort()) species.set(name, [])
  for (const [index, { element }] of sites.entries()) species.get(element)?.push(places.fractions[index] as Vector3)
  return { ...places, species }
}
