import type { Neighbours } from './bonds.ts'
import type { Rgb } from './colors.ts'
import { describe } from './describe.ts'
import { enclosing } from './images.ts'
import { type Layers, type Scene, type SceneOptions, sceneOf } from './scene.ts'
import type { Structure } from './structure.ts'
import { cross, dot, type Matrix3, unit, type Vector3 } from './vector.ts'

/** One of several structures that are laid on each other. */
export interface LaidStructure {
  /** What it is called by beside its atoms. */
  readonly number: number
  readonly name: string
  readonly structure: Structure
  /** Colour of all that is drawn of it. */
  readonly color: Rgb
  readonly isShown: boolean
}

/** Cells in which the sites are laid: that of each structure, or that of the first. */
export type LaidCells = 'own' | 'first'

/** Share of its radius that a ball has here, so that there is room for rings. */
const BALL = 0.8
/** Share of its radius that a bond has here: what lies side by side is to be seen. */
const BOND = 0.5
/** Width of a ring with the gap before it, and of the gap, in radii of the ball. */
const RING = 0.28
const GAP = 0.06

/**
 * Structures in one scene, `upright` and with their origins at one place. Atoms of the first are balls, those of each other one are rings about them: where
 * all are at one place they are seen as a target. What is hidden keeps its room, so that nothing moves when it comes back.
 */
export function overlaidScene(laid: readonly LaidStructure[], cells: LaidCells, options: Partial<SceneOptions>): Scene {
  const structures = laid.map(({ structure }) => upright(structure))
  const [{ lattice }] = structures as [Structure, ...Structure[]]
  const scenes = structures.map((structure, place) => {
    const scene = sceneOf(cells === 'own' ? structure : { ...structure, lattice }, options)
    return inLayer(scene, place, laid[place] as LaidStructure)
  })
  const largest = Math.max(...scenes.map((scene) => scene.largest))
  const room = scenes.flatMap(({ layers }) => layers.room)
  const shown = scenes.filter((_, place) => laid[place]?.isShown)
  const joined = joinedScenes(shown, cells) ?? nothingOf(scenes[0] as LayeredScene)
  const inCells = cells === 'own' ? 'each in its own cell' : 'all in the cell of the first'
  const told = `${shown.length} of ${laid.length} structures laid on each other, ${inCells}. ${joined.layers.told}`
  const layers = { ...joined.layers, room, told }
  return { ...joined, structure: { ...joined.structure, lattice }, largest, ...enclosing(room, largest), layers }
}

/** The same structure turned: a along x, b in the xy plane. */
export function upright(structure: Structure): Structure {
  const [a, b] = structure.lattice
  const [x, z] = [unit(a), unit(cross(a, b))]
  const y = cross(z, x)
  const lattice = structure.lattice.map((row): Vector3 => [dot(row, x), dot(row, y), dot(row, z)])
  return { ...structure, lattice: lattice as unknown as Matrix3 }
}

interface LayeredScene extends Scene {
  readonly layers: Layers
}

function inLayer(scene: Scene, place: number, { number, name, color }: LaidStructure): LayeredScene {
  const { elements, edges, structure, positions } = scene
  const [outer, inner] = [1 + RING * place, place === 0 ? 0 : 1 + RING * (place - 1) + GAP]
  return {
    ...scene,
    structure: { ...structure, entries: structure.entries ?? structure.species.map((_, site) => site) },
    radii: scene.radii.map((radius) => radius * BALL * outer),
    largest: scene.largest * BALL * outer,
    bondRadius: scene.bondRadius * BOND,
    // Shares of a site would be pies in the colours of elements.
    mixtures: elements.map(() => null),
    layers: {
      colors: elements.map(() => color),
      holes: elements.map(() => inner / outer),
      edgeColors: edges.map(() => color),
      numbers: structure.species.map(() => number),
      room: [...positions, ...edges.flat()],
      told: `${number}, ${name}: ${describe(scene)}`,
    },
  }
}

/** Scenes as one; null where there is none. */
function joinedScenes([first, ...others]: readonly LayeredScene[], cells: LaidCells): LayeredScene | null {
  if (first === undefined) return null
  return others.map((scene) => (cells === 'own' ? scene : withoutCell(scene))).reduce(joinedScene, first)
}

/** Two scenes as one; the numbers of atoms, sites and kinds of the second follow those of the first. */
function joinedScene(one: LayeredScene, other: LayeredScene): LayeredScene {
  const [atoms, sites, kinds] = [one.atoms.length, one.structure.species.length, one.elements.length]
  const both = <Item>(listOf: (scene: LayeredScene) => readonly Item[]): Item[] => [...listOf(one), ...listOf(other)]
  return {
    ...one,
    structure: {
      ...one.structure,
      species: both(({ structure }) => structure.species),
      fractions: both(({ structure }) => structure.fractions),
      entries: both(({ structure }) => structure.entries ?? []),
    },
    neighbours: joinedNeighbours(one.neighbours, other.neighbours, sites),
    atoms: [...one.atoms, ...other.atoms.map(({ site, cell }) => ({ site: site + sites, cell }))],
    positions: both(({ positions }) => positions),
    elements: both(({ elements }) => elements),
    mixtures: both(({ mixtures }) => mixtures),
    kinds: Uint16Array.from([...one.kinds, ...Array.from(other.kinds, (kind) => kind + kinds)]),
    radii: both(({ radii }) => radii),
    bonds: [...one.bonds, ...other.bonds.map(([from, to]) => [from + atoms, to + atoms] as const)],
    polyhedra: [
      ...one.polyhedra,
      ...other.polyhedra.map(({ center, faces }) => ({
        center: center + atoms,
        faces: faces.map((face) => face.map((corner) => corner + atoms)),
      })),
    ],
    edges: both(({ edges }) => edges),
    notes: both(({ notes }) => notes),
    layers: {
      colors: both(({ layers }) => layers.colors),
      holes: both(({ layers }) => layers.holes),
      edgeColors: both(({ layers }) => layers.edgeColors),
      numbers: both(({ layers }) => layers.numbers),
      room: both(({ layers }) => layers.room),
      told: `${one.layers.told} ${other.layers.told}`,
    },
  }
}

function joinedNeighbours(one: Neighbours, other: Neighbours, sites: number): Neighbours {
  const bonds = one.atoms.length
  return {
    starts: Int32Array.from([...one.starts.subarray(0, sites), ...other.starts.map((start) => start + bonds)]),
    atoms: Int32Array.from([...one.atoms, ...other.atoms.map((site) => site + sites)]),
    shifts: Int16Array.from([...one.shifts, ...other.shifts]),
    distances: Float64Array.from([...one.distances, ...other.distances]),
  }
}

/** A scene whose cell is that of another one, and drawn with it. */
function withoutCell(scene: LayeredScene): LayeredScene {
  return { ...scene, edges: [], layers: { ...scene.layers, edgeColors: [] } }
}

/** A scene of which nothing is drawn. */
function nothingOf(scene: LayeredScene): LayeredScene {
  const { layers, ...rest } = withoutCell(scene)
  const nothing = { atoms: [], positions: [], kinds: new Uint16Array(), bonds: [], polyhedra: [] }
  return { ...rest, ...nothing, layers: { ...layers, told: '' } }
}
