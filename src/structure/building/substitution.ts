import type { Crystal, CrystalSite } from '../crystal.ts'
import { findElement } from '../elements/element.ts'
import { itemAt } from '../linear-algebra.ts'
import { speciesByPlace } from '../near-pairs.ts'
import { isDisordered, occupancyOf } from '../occupancy.ts'
import type { SubstitutionTerms } from './build-step.ts'
import { cannotBuild } from './refusals.ts'
import { requireSites } from './vacancy.ts'

/**
 * Puts other elements on sites of a crystal, all at once, so that two elements can change places. Charge, isotope, moment and label go with the old
 * element; share and place stay, and shares of one element that come to one site are added up. Refuses sites that are not there, an element that the chosen sites do not have, and what is no element.
 */
export function substitutionOf(crystal: Crystal, terms: SubstitutionTerms): Crystal {
  const chosen = terms.sites === undefined ? null : requireSites(crystal, terms.sites, 'substitution.sites')
  const elementFor = 'with' in terms ? () => terms.with : byElement(crystal, terms.elements, chosen)
  const sites = crystal.sites.map((site, index) => {
    const element = chosen === null || chosen.has(index) ? elementFor(site.element) : undefined
    return element === undefined || element === site.element ? site : withElement(site, requireElement(element))
  })
  return merged({ ...crystal, sites })
}

type Replacement = (element: string) => string | undefined

function byElement(
  { sites }: Crystal,
  elements: Readonly<Record<string, string>>,
  chosen: ReadonlySet<number> | null,
): Replacement {
  const replacements = new Map(Object.entries(elements))
  const there = new Set(sites.filter((_, index) => chosen === null || chosen.has(index)).map(({ element }) => element))
  const missing = [...replacements.keys()].find((element) => !there.has(element))
  if (missing !== undefined) {
    const where = chosen === null ? 'The structure has' : 'The chosen sites have'
    throw cannotBuild(`${where} no ${missing}.`, `Name one of ${[...there].join(', ')}.`, 'substitution.elements')
  }
  return (element) => replacements.get(element)
}

function withElement({ fraction, occurrence, disorder, movable }: CrystalSite, element: string): CrystalSite {
  return {
    element,
    fraction,
    ...(occurrence === undefined ? {} : { occurrence }),
    ...(disorder === undefined ? {} : { disorder }),
    ...(movable === undefined ? {} : { movable }),
  }
}

function requireElement(symbol: string): string {
  if (findElement(symbol) !== undefined) return symbol
  throw cannotBuild(
    `${JSON.stringify(symbol.slice(0, 20))} is no element.`,
    'Write its symbol, such as Al.',
    'substitution',
  )
}

/** Adds up shares of one species on one site. */
function merged(crystal: Crystal): Crystal {
  if (!isDisordered(crystal)) return crystal
  const sites: CrystalSite[] = []
  for (const members of speciesByPlace(crystal)) {
    const first = sites.length
    for (const site of members.map((index) => itemAt(crystal.sites, index))) {
      const at = sites.findIndex((other, index) => index >= first && isOneSpecies(other, site))
      const other = sites[at]
      if (other === undefined) sites.push(site)
      else sites[at] = withShare(other, occupancyOf(other) + occupancyOf(site))
    }
  }
  return { ...crystal, sites }
}

function isOneSpecies(one: CrystalSite, other: CrystalSite): boolean {
  const keyOf = ({ element, isotope, oxidationState, moment, disorder }: CrystalSite): string =>
    JSON.stringify([element, isotope, oxidationState, moment, disorder])
  return keyOf(one) === keyOf(other)
}

function withShare({ occurrence: _share, ...site }: CrystalSite, share: number): CrystalSite {
  return share >= 1 - 1e-9 ? site : { ...site, occurrence: share }
}
