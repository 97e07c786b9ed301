import type { Crystal, CrystalSite } from '../../crystal.ts'
import { massOfAtom } from '../../elements/element.ts'
import { itemAt, type Vector3 } from '../../linear-algebra.ts'
import { sitesWithSpecies } from '../../near-pairs.ts'
import { isPartial } from '../../occupancy.ts'

/** The name of what is not there. */
export const VACANCY = 'vacancy'
/** OPTIMADE has no field for charges and moments; fields of one's own begin with a prefix. */
export const OXIDATION_STATES = '_quarry_oxidation_states'
export const MAGNETIC_MOMENTS = '_quarry_magnetic_moments'

/** An entry of `species`. */
export interface OptimadeSpecies {
  readonly name: string
  readonly chemical_symbols: readonly string[]
  readonly concentration: readonly number[]
  readonly mass?: readonly number[]
  readonly [OXIDATION_STATES]?: readonly number[]
}

/** Groups of sites that exclude each other, and how probable each is; the names are those of CIF. */
export interface OptimadeAssembly {
  readonly sites_in_groups: readonly (readonly number[])[]
  readonly group_probabilities: readonly number[]
  readonly _quarry_assembly: string
  readonly _quarry_groups: readonly string[]
}

/** The sites of a crystal in the words of OPTIMADE. */
export interface OptimadeSites {
  /** One place for each site, in fractions. */
  readonly fractions: readonly Vector3[]
  /** For each site the indices of its atoms among the entries of the crystal. */
  readonly atoms: readonly (readonly number[])[]
  readonly speciesAtSites: readonly string[]
  readonly species: readonly OptimadeSpecies[]
  readonly assemblies: readonly OptimadeAssembly[]
  readonly features: readonly string[]
  readonly moments: readonly Vector3[] | undefined
}

/** Tells sites, species and assemblies; `nameOf` names a species of one element. */
export function optimadeSites<Entry extends CrystalSite>(
  crystal: Pick<Crystal, 'lattice' | 'periodic'> & { readonly sites: readonly Entry[] },
  nameOf: (site: Entry) => string = ({ element }) => element,
): OptimadeSites {
  const { sites } = crystal
  const rows = sitesWithSpecies(crystal)
  const firsts = rows.map(([index = 0]) => itemAt(sites, index))
  const assemblies = assembliesOf(
    firsts,
    rows.map((members) => totalOf(members.map((index) => itemAt(sites, index)))),
  )
  const probability = probabilitiesBySite(assemblies)
  const species = new Map<string, OptimadeSpecies>()
  const speciesAtSites = rows.map((members, row) => {
    const described = describe(
      members.map((index) => itemAt(sites, index)),
      { nameOf, factor: 1 / (probability.get(row) ?? 1) },
    )
    species.set(described.name, described)
    return described.name
  })
  const hasDisorder = [...species.values()].some((one) => one.chemical_symbols.length > 1)
  const isMagnetic = firsts.some(({ moment }) => moment !== undefined)
  return {
    fractions: firsts.map(({ fraction }) => fraction),
    atoms: rows,
    speciesAtSites,
    species: [...species.values()],
    assemblies,
    features: [...(assemblies.length > 0 ? ['assemblies'] : []), ...(hasDisorder ? ['disorder'] : [])],
    moments: isMagnetic ? firsts.map(({ moment }) => moment ?? [0, 0, 0]) : undefined,
  }
}

/** Below this a rest is rounding. */
const LEAST_REST = 1.1e-3

interface Naming<Entry> {
  readonly nameOf: (site: Entry) => string
  /** Factor from occurrences to concentrations within a group. */
  readonly factor: number
}

function describe<Entry extends CrystalSite>(
  members: readonly Entry[],
  { nameOf, factor }: Naming<Entry>,
): OptimadeSpecies {
  const [first] = members
  if (first !== undefined && members.length === 1 && isPlainAtom(first, factor)) {
    const { element } = first
    return { name: nameOf(first), chemical_symbols: [element], concentration: [1] }
  }
  const shares = members.map(({ occurrence = 1 }) => Math.min(1, fourDecimals(occurrence * factor)))
  const rest = 1 - shares.reduce((sum, share) => sum + share, 0)
  const vacancy = rest > LEAST_REST ? [fourDecimals(rest)] : []
  const isWhole = members.length === 1 && vacancy.length === 0
  const names = members.map(
    (site) => `${nameOf(site)}${chargeText(site)}${site.isotope === undefined ? '' : `-${site.isotope}`}`,
  )
  const name = isWhole ? itemAt(names, 0) : names.map((one, index) => `${one}${shares[index]}`).join('')
  return {
    name,
    chemical_symbols: [...members.map(({ element }) => element), ...vacancy.map(() => VACANCY)],
    concentration: isWhole ? [1] : [...shares, ...vacancy],
    ...(members.some(({ isotope }) => isotope !== undefined)
      ? { mass: [...members.map(massOfAtom), ...vacancy.map(() => 0)] }
      : {}),
    ...(members.some(({ oxidationState }) => oxidationState !== undefined)
      ? { [OXIDATION_STATES]: [...members.map(({ oxidationState }) => oxidationState ?? 0), ...vacancy.map(() => 0)] }
      : {}),
  }
}

/** Tells an atom that is there in every cell and of which nothing else is said; so nearly all are. */
function isPlainAtom({ occurrence, oxidationState, isotope }: CrystalSite, factor: number): boolean {
  return occurrence === undefined && factor === 1 && oxidationState === undefined && isotope === undefined
}

function chargeText({ oxidationState }: CrystalSite): string {
  if (oxidationState === undefined) return ''
  return `${Math.abs(oxidationState)}${oxidationState < 0 ? '-' : '+'}`
}

function fourDecimals(value: number): number {
  return Math.round(value * 1e4) / 1e4
}

function totalOf(members: readonly CrystalSite[]): number {
  return Math.min(
    1,
    members.reduce((sum, site) => sum + (isPartial(site) ? (site.occurrence ?? 1) : 1), 0),
  )
}

/** Assemblies with their groups in the order in which sites name them; the probability of a group is that of its fullest site. */
function assembliesOf(sites: readonly CrystalSite[], totals: readonly number[]): readonly OptimadeAssembly[] {
  const found = new Map<string, Map<string, number[]>>()
  for (const [index, { disorder }] of sites.entries()) {
    if (disorder === undefined) continue
    const groups = found.get(disorder.assembly) ?? new Map<string, number[]>()
    found.set(disorder.assembly, groups.set(disorder.group, [...(groups.get(disorder.group) ?? []), index]))
  }
  return [...found].map(([assembly, groups]) => ({
    sites_in_groups: [...groups.values()],
    group_probabilities: [...groups.values()].map((indices) =>
      fourDecimals(Math.max(...indices.map((index) => itemAt(totals, index)))),
    ),
    _quarry_assembly: assembly,
    _quarry_groups: [...groups.keys()],
  }))
}

function probabilitiesBySite(assemblies: readonly OptimadeAssembly[]): ReadonlyMap<number, number> {
  return new Map(
    assemblies.flatMap(({ sites_in_groups: groups, group_probabilities: probabilities }) =>
      groups.flatMap((sites, group) => sites.map((site) => [site, itemAt(probabilities, group)] as const)),
    ),
  )
}
