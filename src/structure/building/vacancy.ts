import type { Crystal } from '../crystal.ts'
import type { VacancyTerms } from './build-step.ts'
import { cannotBuild, noSuchSite } from './refusals.ts'

/** Leaves sites of a crystal out. Refuses a place that the list of sites does not have, one that is named twice, and all of them at once. */
export function vacancyOf(crystal: Crystal, { sites }: VacancyTerms): Crystal {
  const gone = requireSites(crystal, sites, 'vacancy.sites')
  const left = crystal.sites.filter((_, index) => !gone.has(index))
  if (left.length === 0) {
    throw cannotBuild(`All ${gone.size} sites would be taken out.`, 'Leave one site at least.', 'vacancy.sites')
  }
  return { ...crystal, sites: left }
}

/** The places as a set; refuses those that are not there. */
export function requireSites(
  { sites }: Pick<Crystal, 'sites'>,
  places: readonly number[],
  path: string,
): ReadonlySet<number> {
  const unknown = places.find((place) => sites[place] === undefined)
  if (unknown !== undefined) throw noSuchSite(unknown, sites.length, path)
  const chosen = new Set(places)
  const twice = places.find((place, index) => places.indexOf(place) !== index)
  if (twice !== undefined) throw cannotBuild(`Site ${twice} is named twice.`, 'Name each site once.', path)
  return chosen
}
