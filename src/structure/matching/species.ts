import type { Crystal } from '../crystal.ts'
import type { Matrix3, Vector3 } from '../linear-algebra.ts'
import { type Places, placesIn } from './nearest-distances.ts'

/** The places of a crystal by what is there. */
export interface SpeciesPlaces extends Places {
  /** Sorted by name. */
  readonly species: ReadonlyMap<string, readonly Vector3[]>
}

/** Sorts the sites of a crystal by species. */
export function speciesPlaces({
  lattice,
  sites,
}: { readonly lattice: Matrix3 } & Pick<Crystal, 'sites'>): SpeciesPlaces {
  const places = placesIn(
    lattice,
    sites.map(({ fraction }) => fraction),
  )
  const species = new Map<string, Vector3[]>()
  for (const name of [...new Set(sites.map(({ element }) => element))].sort()) species.set(name, [])
  for (const [index, { element }] of sites.entries()) species.get(element)?.push(places.fractions[index] as Vector3)
  return { ...places, species }
}
