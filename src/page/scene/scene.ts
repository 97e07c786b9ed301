import { bondsOf, type Neighbours, neighboursOf } from './bonds.ts'
import type { Rgb } from './colors.ts'
import { isLigandOf, radiusOf } from './element-looks.ts'
import { type AtomImage, edgesOf, enclosing, type Images, repeated, type Segment, type Supercell } from './images.ts'
import { mixtureWords } from './mixtures.ts'
import { hullOf } from './polyhedra.ts'
import { AXES, type Mixture, type Structure, wrapped } from './structure.ts'
import { atomUnits, moleculeUnits } from './units.ts'
import { add, combine, type Vector3 } from './vector.ts'

export interface SceneOptions {
  readonly supercell: Supercell
  /** `within`: between atoms that are drawn anyway. `across`: atoms at the other ends are drawn too. */
  readonly bonds: 'none' | 'within' | 'across'
  /** Atoms on the faces of the cell are drawn on all of them. */
  readonly boundary: boolean
  /** Molecules are drawn whole, where there are any. */
  readonly molecules: boolean
  readonly polyhedra: boolean
  readonly look: Look
}

export type Look = 'balls' | 'spheres' | 'sticks'

export const DEFAULT_OPTIONS: SceneOptions = {
  supercell: [1, 1, 1],
  bonds: 'within',
  boundary: true,
  molecules: true,
  polyhedra: false,
  look: 'balls',
}

/** The hull of the neighbours of an atom. */
export interface Polyhedron {
  readonly center: number
  /** Atoms at the corners of each face, in their order as seen from outside. */
  readonly faces: readonly (readonly number[])[]
}

/** A drawing: atoms by index, in Å. */
export interface Scene {
  /** Its atoms wrapped into the cell. */
  readonly structure: Structure
  readonly neighbours: Neighbours
  /** Atom of the structure and cell of each drawn atom. */
  readonly atoms: readonly AtomImage[]
  readonly positions: readonly Vector3[]
  /** The elements, in the order of their first atom, and the mixtures on sites by the first of theirs; `kinds` says which one each atom is. */
  readonly elements: readonly string[]
  /** Mixture of each; null for one whole atom. */
  readonly mixtures: readonly (Mixture | null)[]
  readonly kinds: Uint16Array
  /** One per element. */
  readonly radii: readonly number[]
  /** The largest of them. */
  readonly largest: number
  readonly bondRadius: number
  /** Two atoms each. */
  readonly bonds: readonly (readonly [number, number])[]
  readonly polyhedra: readonly Polyhedron[]
  readonly edges: readonly Segment[]
  /** The sphere that holds all of it. */
  readonly center: Vector3
  readonly radius: number
  /** Omissions, as sentences. */
  readonly notes: readonly string[]
  /** What a scene of several structures has beside (`overlaidScene`). */
  readonly layers?: Layers
}

/** Structures that are laid on each other: each is drawn in a colour of its own. */
export interface Layers {
  /** One per kind, in place of the colour of its element. */
  readonly colors: readonly Rgb[]
  /** One per kind: the share of its radius that is empty; 0 for a ball, more for a ring. */
  readonly holes: readonly number[]
  /** One per edge of a cell. */
  readonly edgeColors: readonly Rgb[]
  /** Number of the structure that each site belongs to. */
  readonly numbers: readonly number[]
  /** Places that the picture has room for, hidden ones too. */
  readonly room: readonly Vector3[]
  /** Says what is drawn. */
  readonly told: string
}

/** More than this are neither seen nor turned. */
const MOST_ATOMS = 20_000
const MOST_CELLS_ALONG = 20

export function sceneOf(given: Structure, asked: Partial<SceneOptions> = {}): Scene {
  const options = { ...DEFAULT_OPTIONS, ...asked }
  const structure = wrapped(given)
  const notes: string[] = []
  const supercell = affordable(structure, options.supercell, notes)
  const bonds = bondsOf(structure)
  if (bonds.isCut) notes.push('Bonds are incomplete: the atoms are nearer together than atoms are.')
  const neighbours = neighboursOf(bonds, structure.species.length)
  const units = options.molecules ? moleculeUnits(structure, neighbours) : atomUnits(structure)
  const images = repeated(structure, units, { supercell, boundary: options.boundary })
  const within = images.list.length
  if (options.bonds === 'across') for (let atom = 0; atom < within; atom++) addNeighbours(images, atom, neighbours)
  const centers = options.polyhedra ? completed(structure, neighbours, images, within) : []
  const positions = images.list.map(({ site, cell }) =>
    combine(add(structure.fractions[site] as Vector3, cell), structure.lattice),
  )
  const { kinds, elements, mixtures } = kindsOf(structure)
  const edges = structure.periodic.includes(true) ? edgesOf(structure, supercell) : []
  const radii = elements.map((symbol) => drawnRadius(symbol, options.look))
  const largest = Math.max(0, ...radii)
  return {
    structure,
    neighbours,
    atoms: images.list,
    positions,
    elements,
    mixtures,
    kinds: Uint16Array.from(images.list, ({ site }) => kinds[site] as number),
    radii,
    bondRadius: options.look === 'sticks' ? STICK_ANGSTROM : BOND_ANGSTROM,
    bonds: options.bonds === 'none' || options.look === 'spheres' ? [] : drawnBonds(images, neighbours),
    polyhedra: polyhedraOf(centers, positions, { images, neighbours }),
    edges,
    largest,
    ...enclosing([...positions, ...edges.flat()], largest),
    notes,
  }
}

/** Distinct contents of sites: by a name, as an element, as a mixture. */
function kindsOf({ species, mixtures: mixed }: Structure) {
  const first = new Map<string, number>()
  const names = species.map((symbol, site) => {
    const mixture = mixed?.get(site)
    const name = mixture === undefined ? symbol : mixtureWords(mixture)
    if (!first.has(name)) first.set(name, site)
    return name
  })
  const sites = [...first.values()]
  const places = new Map([...first.keys()].map((name, kind) => [name, kind]))
  return {
    /** One per site. */
    kinds: names.map((name) => places.get(name) as number),
    elements: sites.map((site) => species[site] as string),
    mixtures: sites.map((site) => mixed?.get(site) ?? null),
  }
}

const BOND_ANGSTROM = 0.1
const STICK_ANGSTROM = 0.16

function drawnRadius(symbol: string, look: Look): number {
  if (look === 'sticks') return STICK_ANGSTROM * 1.25
  return look === 'spheres' ? radiusOf(symbol) : 0.2 + 0.24 * radiusOf(symbol)
}

/** A supercell of no more atoms than can be drawn: fewer cells along the longest side until it is. */
function affordable({ species, periodic }: Structure, asked: Supercell, notes: string[]): Supercell {
  const cells = AXES.map((axis) =>
    periodic[axis] ? Math.min(MOST_CELLS_ALONG, Math.max(1, Math.floor(asked[axis]))) : 1,
  )
  const atoms = () => cells.reduce((product, count) => product * count, species.length)
  const most = Math.max(MOST_ATOMS, species.length)
  const isCut = atoms() > most
  while (atoms() > most) {
    const longest = cells.indexOf(Math.max(...cells))
    cells[longest] = (cells[longest] as number) - 1
  }
  const supercell = cells as unknown as Supercell
  if (isCut) notes.push(`Drawn are ${supercell.join(' × ')} cells: more would be over ${MOST_ATOMS} atoms.`)
  return supercell
}

/** Adds the atoms that an atom is bonded to, wherever they are. */
function addNeighbours(images: Images, atom: number, neighbours: Neighbours): void {
  const { site, cell } = images.list[atom] as AtomImage
  forNeighbours(neighbours, site, (other, shift) => images.add(other, add(cell, shift)))
}

function forNeighbours(
  { starts, atoms, shifts }: Neighbours,
  site: number,
  visit: (site: number, shift: Vector3) => void,
): void {
  for (let at = starts[site] as number; at < (starts[site + 1] as number); at++)
    visit(atoms[at] as number, [shifts[3 * at] as number, shifts[3 * at + 1] as number, shifts[3 * at + 2] as number])
}

function drawnBonds(images: Images, neighbours: Neighbours): [number, number][] {
  const bonds: [number, number][] = []
  for (const [index, { site, cell }] of images.list.entries())
    forNeighbours(neighbours, site, (other, shift) => {
      const end = images.find(other, add(cell, shift))
      if (end !== undefined && end > index) bonds.push([index, end])
    })
  return bonds
}

/** Beyond these there is no polyhedron, or one that hides all others. */
const FEWEST_CORNERS = 4
const MOST_CORNERS = 8

/** The atoms that a polyhedron is drawn around, and all their neighbours among the images. */
function completed(structure: Structure, neighbours: Neighbours, images: Images, count: number): number[] {
  const { species } = structure
  const isCenter = species.map((symbol, site) => {
    const [start, end] = [neighbours.starts[site] as number, neighbours.starts[site + 1] as number]
    if (end - start < FEWEST_CORNERS || end - start > MOST_CORNERS) return false
    return neighbours.atoms.subarray(start, end).every((other) => isLigandOf(symbol, species[other] as string))
  })
  const centers = [...images.list.keys()].filter(
    (atom) => atom < count && isCenter[(images.list[atom] as AtomImage).site] === true,
  )
  for (const atom of centers) addNeighbours(images, atom, neighbours)
  return centers
}

function polyhedraOf(
  centers: readonly number[],
  positions: readonly Vector3[],
  { images, neighbours }: { readonly images: Images; readonly neighbours: Neighbours },
): Polyhedron[] {
  return centers.flatMap((center) => {
    const { site, cell } = images.list[center] as AtomImage
    const corners: number[] = []
    forNeighbours(neighbours, site, (other, shift) => corners.push(images.add(other, add(cell, shift))))
    const faces = hullOf(corners.map((corner) => positions[corner] as Vector3))
    if (faces.length === 0) return []
    return [{ center, faces: faces.map((face) => face.map((corner) => corners[corner] as number)) }]
  })
}

/** Legend of a drawing: its elements, each with its number of atoms in the structure. */
export function legendOf({
  species,
  mixtures,
}: Structure): readonly { readonly symbol: string; readonly count: number }[] {
  const counts = new Map<string, number>()
  for (const [site, element] of species.entries()) {
    for (const { symbol, share } of mixtures?.get(site) ?? [{ symbol: element, share: 1 }])
      counts.set(symbol, (counts.get(symbol) ?? 0) + share)
  }
  return [...counts].map(([symbol, count]) => ({ symbol, count: Math.round(count * 1000) / 1000 }))
}
