import { remedied } from '../../page/remedies.ts'
import { radiusOf } from '../../page/scene/element-looks.ts'
import type { Crystal, CrystalSite } from '../crystal.ts'
import { FORMAT_ERRORS, refusal } from '../errors.ts'
import { countAtoms, reducedFormula } from '../formula.ts'
import { itemAt, scale, type Vector3 } from '../linear-algebra.ts'
import { nearPairs, speciesByPlace } from '../near-pairs.ts'
import { isDisordered, occupancyOf } from '../occupancy.ts'
import { TOO_CLOSE_SHARE } from './consistency-checks.ts'

/** Ways to order a disordered crystal: the most frequent species everywhere, or a supercell with the shares as counts, by chance. */
export type OrderedTerms =
  | { readonly how: 'majority' }
  | { readonly how: 'supercell'; readonly maxAtoms: number; readonly seed: number }

/** One of the things that can be at a place: atoms, or nothing. */
interface Choice {
  readonly entries: readonly number[]
  readonly probability: number
}

/** Choices of which one is taken; `kind` is equal for places that have the same. */
interface PlaceChoices {
  readonly choices: readonly Choice[]
  readonly kind: string
}

/** An ordered crystal in the place of a disordered one, which its title says; an ordered one comes back as it is. */
export function orderedApproximant(crystal: Crystal, terms: OrderedTerms): Crystal {
  if (!isDisordered(crystal)) return crystal
  const units = unitsOf(crystal)
  const cells = terms.how === 'majority' ? ONE_CELL : supercellFor(crystal, terms.maxAtoms)
  const chosen = terms.how === 'majority' ? units.map((unit) => [mostProbable(unit)]) : drawn(units, cells, terms.seed)
  const placed = chosenSites(crystal, chosen, cells)
  const sites = terms.how === 'supercell' ? bySpecies(placed, crystal.sites) : placed
  if (sites.length === 0) throw nothingLeft()
  const [a, b, c] = crystal.lattice
  const [na, nb, nc] = cells
  const told = toldOf(crystal, sites, terms, cells)
  return {
    ...crystal,
    title: `${crystal.title} (${told})`.trim(),
    lattice: [scale(a, na), scale(b, nb), scale(c, nc)],
    sites,
    warnings: [
      ...crystal.warnings,
      { code: 'ordered-approximant', message: `The crystal is disordered; this is an ${told}.` },
    ],
  }
}

/** The atoms of each cell, of what was chosen for it. */
function chosenSites(
  { sites }: Crystal,
  chosen: readonly (readonly Choice[])[],
  [na, nb, nc]: Vector3,
): readonly CrystalSite[] {
  const placed: CrystalSite[] = []
  let cell = 0
  for (let i = 0; i < na; i++) {
    for (let j = 0; j < nb; j++) {
      for (let k = 0; k < nc; k++, cell++) {
        for (const entry of chosen.flatMap((choices) => itemAt(choices, cell).entries)) {
          const { occurrence: _share, disorder: _group, ...site } = itemAt(sites, entry)
          const [x, y, z] = site.fraction
          placed.push({ ...site, fraction: [(x + i) / na, (y + j) / nb, (z + k) / nc] })
        }
      }
    }
  }
  return placed
}

/** One species after the other, as POSCAR and its potentials want them, in the order of the crystal; those of one stay in their order. */
function bySpecies(placed: readonly CrystalSite[], sites: readonly CrystalSite[]): readonly CrystalSite[] {
  const nameOf = ({ element, isotope = 0 }: CrystalSite): string => `${element} ${isotope}`
  const order = [...new Set(sites.map(nameOf))]
  return order.flatMap((name) => placed.filter((site) => nameOf(site) === name))
}

/** Says what was done; rarer species are left out, so the formula is named where it changes. */
function toldOf(crystal: Crystal, sites: readonly CrystalSite[], terms: OrderedTerms, [na, nb, nc]: Vector3): string {
  const how =
    terms.how === 'majority'
      ? 'the most frequent species of each site'
      : `supercell ${na}x${nb}x${nc}, seed ${terms.seed}`
  const [whole, left] = [formulaOf(crystal.sites), formulaOf(sites)]
  return `ordered approximant: ${how}${left === whole ? '' : `, ${left} for ${whole}`}`
}

function formulaOf(sites: readonly CrystalSite[]): string {
  return reducedFormula(countAtoms(sites))
}

const ONE_CELL: Vector3 = [1, 1, 1]

function nothingLeft(): Error {
  const message = 'Every site of the crystal is empty in most of the cells, so nothing would be left.'
  return refusal(FORMAT_ERRORS.notWritable, message, remedied('orderWithMoreAtoms'))
}

/** Units of choice: the groups of an assembly, the positions that exclude each other, the species of a site. */
function unitsOf(crystal: Crystal): readonly PlaceChoices[] {
  const { sites } = crystal
  const assemblies = new Map<string, Map<string, number[]>>()
  const free: number[][] = []
  for (const members of speciesByPlace(crystal)) {
    const ungrouped = members.filter((index) => itemAt(sites, index).disorder === undefined)
    if (ungrouped.length > 0) free.push(ungrouped)
    for (const index of members) {
      const { disorder } = itemAt(sites, index)
      if (disorder === undefined) continue
      const groups = assemblies.get(disorder.assembly) ?? new Map<string, number[]>()
      assemblies.set(disorder.assembly, groups.set(disorder.group, [...(groups.get(disorder.group) ?? []), index]))
    }
  }
  const shareOf = (index: number): number => occupancyOf(itemAt(sites, index))
  const ofAssemblies = [...assemblies].map(([assembly, groups]) => {
    const probabilities = [...groups.values()].map((entries) => Math.max(...entries.map(shareOf)))
    const total = Math.max(
      1,
      probabilities.reduce((sum, one) => sum + one, 0),
    )
    const choices = [...groups.values()].map((entries, group) => ({
      entries: withoutOverlaps(crystal, entries),
      probability: itemAt(probabilities, group) / total,
    }))
    return { choices, kind: `assembly ${assembly}` }
  })
  const ofSites = clustersOf(crystal, free).map((entries) => {
    const choices = entries.map((index) => ({ entries: [index], probability: shareOf(index) }))
    const kind = entries
      .map((index) => `${itemAt(sites, index).element} ${shareOf(index).toFixed(3)}`)
      .sort()
      .join('+')
    return { choices: choices.toSorted((one, other) => other.probability - one.probability), kind }
  })
  return [...ofSites, ...ofAssemblies]
}

/** Joins sites that are too near to be occupied at once, as long as their shares fit on one place. */
function clustersOf(crystal: Crystal, places: readonly (readonly number[])[]): readonly (readonly number[])[] {
  const { lattice, periodic, sites } = crystal
  const clusters: (readonly number[] | null)[] = [...places]
  const clusterAt = places.map((_, place) => place)
  const shareOf = (entries: readonly number[]): number =>
    entries.reduce((sum, index) => sum + occupancyOf(itemAt(sites, index)), 0)
  const first = places.map(([index = 0]) => itemAt(sites, index))
  for (const pair of nearPairs(
    lattice,
    periodic,
    first.map(({ fraction }) => fraction),
    tooClose(first),
  )) {
    const [one, other] = [itemAt(clusterAt, pair.first), itemAt(clusterAt, pair.second)]
    const [left, right] = [clusters[one], clusters[other]]
    if (one === other || !left || !right || shareOf(left) + shareOf(right) > MOST_TOGETHER) continue
    clusters[one] = [...left, ...right]
    clusters[other] = null
    for (const [place, cluster] of clusterAt.entries()) if (cluster === other) clusterAt[place] = one
  }
  return clusters.filter((cluster) => cluster !== null)
}

const MOST_TOGETHER = 1.01

function tooClose(sites: readonly CrystalSite[]) {
  const radii = sites.map(({ element }) => radiusOf(element))
  const of = (one: number, other: number): number => TOO_CLOSE_SHARE * (itemAt(radii, one) + itemAt(radii, other))
  return { of, largest: 2 * TOO_CLOSE_SHARE * Math.max(0, ...radii) }
}

/** Atoms of one group that can be there at once, the most frequent first: about a special position the images exclude each other. */
function withoutOverlaps(crystal: Crystal, entries: readonly number[]): readonly number[] {
  const ordered = entries.toSorted(
    (one, other) => occupancyOf(itemAt(crystal.sites, other)) - occupancyOf(itemAt(crystal.sites, one)) || one - other,
  )
  const sites = ordered.map((index) => itemAt(crystal.sites, index))
  const dropped = new Set<number>()
  for (const { first, second } of nearPairs(
    crystal.lattice,
    crystal.periodic,
    sites.map(({ fraction }) => fraction),
    tooClose(sites),
  )) {
    if (!dropped.has(first)) dropped.add(second)
  }
  return ordered.filter((_, place) => !dropped.has(place)).toSorted((one, other) => one - other)
}

const NOTHING: readonly number[] = []

/** The choice that is right most often; nothing where a place is empty more often than not. */
function mostProbable({ choices }: PlaceChoices): Choice {
  const total = choices.reduce((sum, { probability }) => sum + probability, 0)
  const best = choices.reduce((most, one) => (one.probability > most.probability ? one : most))
  // A place that several positions share is occupied as often as they are together.
  return total < 0.5 - 1e-9 ? { entries: NOTHING, probability: 1 - total } : best
}

/** Chooses for each copy of each unit, so that the choices of all copies of a kind come as near to the probabilities as whole numbers do. */
function drawn(units: readonly PlaceChoices[], [na, nb, nc]: Vector3, seed: number): readonly (readonly Choice[])[] {
  const copies = na * nb * nc
  const random = randomNumbers(seed)
  const result: Choice[][] = units.map(() => [])
  const kinds = new Map<string, number[]>()
  for (const [index, { kind }] of units.entries()) kinds.set(kind, [...(kinds.get(kind) ?? []), index])
  for (const members of kinds.values()) {
    const counts = wholeCounts(itemAt(units, itemAt(members, 0)), members.length * copies)
    const places = shuffled(
      counts.flatMap((count, choice) => new Array<number>(count).fill(choice)),
      random,
    )
    for (const [place, choice] of places.entries()) {
      const unit = itemAt(members, Math.floor(place / copies))
      result[unit]?.push(itemAt(units, unit).choices[choice] ?? { entries: NOTHING, probability: 0 })
    }
  }
  return result
}

/** Largest remainders; the last count is that of nothing. */
function wholeCounts({ choices }: PlaceChoices, places: number): readonly number[] {
  const total = choices.reduce((sum, { probability }) => sum + probability, 0)
  const probabilities = [...choices.map(({ probability }) => probability / Math.max(1, total)), Math.max(0, 1 - total)]
  const exact = probabilities.map((probability) => probability * places)
  const counts = exact.map((count) => Math.floor(count + 1e-9))
  const order = [...exact.keys()].sort((one, other) => rest(exact, other) - rest(exact, one) || one - other)
  for (let left = places - counts.reduce((sum, count) => sum + count, 0), at = 0; left > 0; left--, at++) {
    const choice = itemAt(order, at % order.length)
    counts[choice] = itemAt(counts, choice) + 1
  }
  return counts
}

function rest(exact: readonly number[], index: number): number {
  const count = itemAt(exact, index)
  return count - Math.floor(count + 1e-9)
}

/** Fisher and Yates. */
function shuffled(list: readonly number[], random: () => number): readonly number[] {
  const result = [...list]
  for (let index = result.length - 1; index > 0; index--) {
    const other = Math.floor(random() * (index + 1))
    const moved = itemAt(result, index)
    result[index] = itemAt(result, other)
    result[other] = moved
  }
  return result
}

/** Mulberry32: the same numbers for the same seed, on every machine. */
function randomNumbers(seed: number): () => number {
  let state = seed >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}

/** The largest supercell within so many atoms that is nearest to a cube. */
function supercellFor({ lattice, sites }: Crystal, maxAtoms: number): Vector3 {
  const atoms = sites.reduce((sum, site) => sum + occupancyOf(site), 0)
  const times = Math.floor(maxAtoms / atoms + 1e-9)
  if (times < 1) {
    const message = `The cell has ${Number(atoms.toFixed(2))} atoms, and ${maxAtoms} are the most that may be.`
    throw refusal(FORMAT_ERRORS.notWritable, message, { path: 'maxAtoms', ...remedied('orderWithMoreAtoms') })
  }
  const edges = lattice.map((row) => Math.hypot(...row))
  let [best, most, roundest]: [Vector3, number, number] = [ONE_CELL, 1, Number.POSITIVE_INFINITY]
  for (let i = 1; i <= times; i++) {
    for (let j = 1; i * j <= times; j++) {
      const k = Math.floor(times / (i * j))
      const lengths = [i, j, k].map((count, axis) => count * (edges[axis] ?? 1))
      const shape = Math.max(...lengths) / Math.min(...lengths)
      // Nine tenths of the atoms in a rounder cell are worth more than all of them in a rod.
      const isLarger = i * j * k > most / 0.9
      if (isLarger || (i * j * k >= most * 0.9 && shape < roundest)) {
        best = [i, j, k]
        most = Math.max(most, i * j * k)
        roundest = shape
      }
    }
  }
  return best
}
