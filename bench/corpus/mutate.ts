import type { Prototype, Site } from './prototypes.ts'
import type { Random } from './random.ts'

/** A crystal made from a prototype, and what was done to it. */
export interface Mutant extends Prototype {
  readonly changes: readonly string[]
}

const MOST_SITES = 48
const FEWEST_SITES_FOR_A_VACANCY = 8

/** Columns of the periodic table: an element is substituted by one that takes its place in real crystals. */
const COLUMNS = [
  ['Li', 'Na', 'K', 'Rb', 'Cs'],
  ['Be', 'Mg', 'Ca', 'Sr', 'Ba'],
  ['Ti', 'Zr', 'Hf'],
  ['V', 'Nb', 'Ta'],
  ['Cr', 'Mo', 'W'],
  ['Fe', 'Ru', 'Os'],
  ['Co', 'Rh', 'Ir'],
  ['Ni', 'Pd', 'Pt'],
  ['Cu', 'Ag', 'Au'],
  ['Zn', 'Cd', 'Hg'],
  ['Al', 'Ga', 'In', 'Tl'],
  ['C', 'Si', 'Ge', 'Sn', 'Pb'],
  ['N', 'P', 'As', 'Sb', 'Bi'],
  ['O', 'S', 'Se', 'Te'],
  ['F', 'Cl', 'Br', 'I'],
] as const satisfies readonly (readonly string[])[]

/** Makes a crystal as a screening study would: a supercell, a strain, a substitution, a vacancy, each by chance. */
export function mutate(prototype: Prototype, random: Random): Mutant {
  let mutant: Mutant = { ...prototype, changes: [] }
  if (random.chance(0.45)) mutant = supercell(mutant)
  if (random.chance(0.85)) mutant = strain(mutant, random)
  if (random.chance(0.6)) mutant = substitute(mutant, random)
  if (random.chance(0.25)) mutant = removeSite(mutant, random)
  return mutant
}

/** Doubles the cell along all three axes, which keeps the type of the lattice. */
function supercell(mutant: Mutant): Mutant {
  if (mutant.sites.length * 8 > MOST_SITES) return mutant
  const { a, b, c } = mutant.lattice
  const sites = mutant.sites.flatMap(({ element, coordinate: [x, y, z] }) =>
    [0, 1, 2, 3, 4, 5, 6, 7].map((corner): Site => {
      const [i, j, k] = [corner & 1, (corner >> 1) & 1, corner >> 2]
      return { element, coordinate: [round((x + i) / 2), round((y + j) / 2), round((z + k) / 2)] }
    }),
  )
  const lattice = { ...mutant.lattice, a: round(2 * a), b: round(2 * b), c: round(2 * c) }
  return { ...mutant, lattice, sites, changes: [...mutant.changes, '2x2x2'] }
}

/** Strains all axes alike, which keeps the type of the lattice. */
function strain(mutant: Mutant, random: Random): Mutant {
  const percent = Math.round((random.next() * 8 - 4) * 100) / 100
  const factor = 1 + percent / 100
  const { a, b, c } = mutant.lattice
  const lattice = { ...mutant.lattice, a: round(a * factor), b: round(b * factor), c: round(c * factor) }
  return { ...mutant, lattice, changes: [...mutant.changes, `strain ${percent} %`] }
}

/** Puts a relative in the place of one site or of every site of a species. */
function substitute(mutant: Mutant, random: Random): Mutant {
  const from = random.pick(mutant.sites)
  const column: readonly string[] | undefined = COLUMNS.find((elements) =>
    (elements as readonly string[]).includes(from.element),
  )
  if (column === undefined) return mutant
  const to = random.pick(column.filter((element) => element !== from.element))
  const everywhere = random.chance(0.5)
  const sites = mutant.sites.map((site) =>
    site === from || (everywhere && site.element === from.element) ? { ...site, element: to } : site,
  )
  return { ...mutant, sites, changes: [...mutant.changes, `${to} for ${from.element}`] }
}

function removeSite(mutant: Mutant, random: Random): Mutant {
  if (mutant.sites.length < FEWEST_SITES_FOR_A_VACANCY) return mutant
  const gone = random.pick(mutant.sites)
  const sites = mutant.sites.filter((site) => site !== gone)
  return { ...mutant, sites, changes: [...mutant.changes, `${gone.element} vacancy`] }
}

function round(value: number): number {
  return Math.round(value * 1e6) / 1e6
}
