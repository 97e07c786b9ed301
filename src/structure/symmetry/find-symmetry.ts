import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { analyze_cell, initSync, type MoyoCell, type MoyoOperation, space_group_type } from '@spglib/moyo-wasm'
import type { Cell, Crystal, CrystalSite } from '../crystal.ts'
import { ELEMENTS, findElement } from '../elements/element.ts'
import type { LatticeType } from '../lattice.ts'
import { determinant, itemAt, length } from '../linear-algebra.ts'
import { certainTolerances } from './certain-tolerances.ts'
import { SitesByPlace } from './find-translation.ts'
import { fitsCell, generatorsOf, imageOf, type SymmetryOperator } from './operator.ts'
import { primitiveCellOf } from './primitive-cell.ts'
import { reasonAgainst } from './reason-against.ts'
import { inShortestCell } from './shortest-cell.ts'
import { mixturesOf, withSpecies } from './sites.ts'
import { operatorsOfSetting, SPACE_GROUP_SETTINGS, type SpaceGroupSetting } from './space-group-setting.ts'
import { type FoundSymmetry, type GroupWithin, notComputed, type SymmetryReport } from './symmetry-report.ts'

const LATTICE_TYPE_OF_BRAVAIS_CLASS: Readonly<Record<string, LatticeType>> = {
  aP: 'TRI',
  mP: 'MCL',
  mC: 'MCLC',
  oP: 'ORC',
  oS: 'ORCC',
  oF: 'ORCF',
  oI: 'ORCI',
  tP: 'TET',
  tI: 'BCT',
  hR: 'RHL',
  hP: 'HEX',
  cP: 'CUB',
  cF: 'FCC',
  cI: 'BCC',
}

let loaded = false

/** Loads the symmetry finder into this thread; its errors leave it unusable, so it belongs into a thread of its own. */
export function loadSymmetryFinder(): void {
  if (loaded) return
  initSync({ module: readFileSync(fileURLToPath(import.meta.resolve('@spglib/moyo-wasm/moyo_wasm_bg.wasm'))) })
  loaded = true
}

/** Finds the space group; blocks, possibly for minutes, and throws. Needs the primitive cell: time grows as the cube of translations. */
export function analyzeSymmetry(crystal: Pick<Crystal, 'lattice' | 'sites'>, tolerance: number): FoundSymmetry {
  loadSymmetryFinder()
  const mixed = mixturesOf(crystal)
  if (mixed === undefined) return analyzeSites(crystal, tolerance)
  return withSpecies(analyzeSites(mixed.cell, tolerance), mixed)
}

/** The space group alone of a crystal that has been looked at within another tolerance; null where none is found. Throws `FinderBroken` only. */
function spaceGroupWithin(crystal: Pick<Crystal, 'lattice' | 'sites'>, tolerance: number): GroupWithin | null {
  try {
    const { cell } = primitiveCellOf(mixturesOf(crystal)?.cell ?? crystal, tolerance)
    const { number, hm_symbol } = analyze_cell(
      JSON.stringify(toMoyoCell(cell, new SpeciesNumbers())),
      tolerance,
      'Spglib',
    )
    return { tolerance, number, symbol: hm_symbol.replaceAll('_', '') }
  } catch (error) {
    if (error instanceof Error && error.name === 'RuntimeError') throw new FinderBroken(error)
    return null
  }
}

/** The elements of the sites may be names of mixtures: to the finder both are numbers. */
function analyzeSites(crystal: Pick<Crystal, 'lattice' | 'sites'>, tolerance: number): FoundSymmetry {
  const primitive = primitiveCellOf(crystal, tolerance)
  const { cell, repeats } = primitive
  const names = new SpeciesNumbers()
  const data = analyze_cell(JSON.stringify(toMoyoCell(cell, names)), tolerance, 'Spglib')
  const type = space_group_type(data.number)
  const pointGroup = type.geometric_crystal_class
  const setting = SPACE_GROUP_SETTINGS[data.hall_number - 1]
  const conventional = fromMoyoCell(data.std_cell, names)
  return inShortestCell({
    status: 'computed',
    number: data.number,
    symbol: data.hm_symbol.replaceAll('_', ''),
    hallSymbol: setting?.hallSymbol ?? '',
    hallNumber: data.hall_number,
    isStandardSetting: setting !== undefined && isCellOf(setting, crystal, { conventional, tolerance }),
    crystalSystem: type.crystal_system.toLowerCase(),
    pointGroup,
    latticeType: LATTICE_TYPE_OF_BRAVAIS_CLASS[type.bravais_class] ?? 'TRI',
    pearsonSymbol: data.pearson_symbol,
    wyckoffLetters: repeats.map((site) => itemAt(data.wyckoffs, site)),
    equivalentTo: firstOfEach(repeats.map((site) => itemAt(data.orbits, site))),
    siteSymmetries: repeats.map((site) => itemAt(data.site_symmetry_symbols, site)),
    conventionalCell: conventional,
    primitiveCell: fromMoyoCell(data.prim_std_cell, names),
    originals: firstPlaces(
      repeats.map((site) => itemAt(data.mapping_std_prim, site)),
      data.prim_std_cell.numbers.length,
    ),
    tolerance,
    certain: certainTolerances(crystal, primitive, {
      operators: data.operations.map(toOperator),
      pointGroup,
      tolerance,
      isAsAsked: data.symprec === tolerance,
      upTo: RUNGS[3],
    }),
  })
}

/** A volume that differs by less is the same: that of a cell with one more repetition is twice as large, or half. */
const SAME_VOLUME = 0.1

/** Tells whether a crystal that has the group of a setting is a whole cell of it, with its axes and its origin. */
function isCellOf(
  setting: SpaceGroupSetting,
  crystal: Cell,
  { conventional, tolerance }: { readonly conventional: Cell; readonly tolerance: number },
): boolean {
  const { lattice, sites } = crystal
  const volume = Math.abs(determinant(conventional.lattice))
  if (Math.abs(Math.abs(determinant(lattice)) / volume - 1) > SAME_VOLUME) return false
  const operators = operatorsOfSetting(setting)
  if (!fitsCell(operators, lattice, tolerance / Math.min(...lattice.map(length)))) return false
  const places = new SitesByPlace(crystal, tolerance)
  return generatorsOf(operators).every((operator) =>
    sites.every(({ element, fraction }) => places.find(imageOf(fraction, operator), element) !== undefined),
  )
}

/** The finder has columns one after the other. */
function toOperator({ rotation: [xx, yx, zx, xy, yy, zy, xz, yz, zz], translation }: MoyoOperation): SymmetryOperator {
  return {
    rotation: [
      [xx, xy, xz],
      [yx, yy, yz],
      [zx, zy, zz],
    ],
    translation,
  }
}

/** Numbers of what is on sites: atomic numbers, and from 1000 on those of mixtures. */
class SpeciesNumbers {
  readonly #mixtures: string[] = []

  numberOf(name: string): number {
    const element = findElement(name)
    if (element !== undefined) return element.number
    const known = this.#mixtures.indexOf(name)
    return FIRST_MIXTURE + (known === -1 ? this.#mixtures.push(name) - 1 : known)
  }

  nameOf(number: number): string {
    return number < FIRST_MIXTURE ? itemAt(ELEMENTS, number - 1).symbol : itemAt(this.#mixtures, number - FIRST_MIXTURE)
  }
}

const FIRST_MIXTURE = 1000

/** For every number up to a count the first place where it stands. */
function firstPlaces(numbers: readonly number[], count: number): readonly number[] {
  const first: number[] = new Array(count).fill(-1)
  for (const [place, number] of numbers.entries()) if (first[number] === -1) first[number] = place
  return first
}

/** For every site the first one that is of the same orbit. */
function firstOfEach(orbits: readonly number[]): readonly number[] {
  const first = new Map<number, number>()
  return orbits.map((orbit, index) => {
    const known = first.get(orbit)
    if (known === undefined) first.set(orbit, index)
    return known ?? index
  })
}

function toMoyoCell({ lattice, sites }: Pick<Crystal, 'lattice' | 'sites'>, names: SpeciesNumbers): MoyoCell {
  const [a, b, c] = lattice
  return {
    lattice: { basis: [...a, ...b, ...c] },
    positions: sites.map(({ fraction }) => [...fraction]),
    numbers: sites.map(({ element }) => names.numberOf(element)),
  }
}

function fromMoyoCell(cell: MoyoCell, names: SpeciesNumbers): Pick<Crystal, 'lattice' | 'sites'> {
  const [ax, ay, az, bx, by, bz, cx, cy, cz] = cell.lattice.basis
  const sites = cell.positions.map(
    (fraction, index): CrystalSite => ({ element: names.nameOf(itemAt(cell.numbers, index)), fraction }),
  )
  return {
    lattice: [
      [ax, ay, az],
      [bx, by, bz],
      [cx, cy, cz],
    ],
    sites,
  }
}

/** The symmetry finder broke down within WebAssembly: its memory is in no defined state, and its thread is of no more use. */
export class FinderBroken extends Error {
  constructor(cause: Error) {
    super(`the symmetry finder broke down: ${cause.message}`, { cause })
    this.name = 'FinderBroken'
  }
}

/** Finds the space group, or says why not; throws `FinderBroken` only. Blocks, possibly for minutes: for a thread that can be ended. */
export function findSymmetry(crystal: Crystal, tolerance: number): SymmetryReport {
  const reason = reasonAgainst(crystal)
  if (reason !== undefined) return notComputed(reason)
  try {
    return analyzeSymmetry(crystal, tolerance)
  } catch (error) {
    if (error instanceof Error && error.name === 'RuntimeError') throw new FinderBroken(error)
    return notComputed(`the symmetry finder says: ${error instanceof Error ? error.message : String(error)}`)
  }
}

/** From what only exact crystals have to what relaxed and measured ones have nearly, in ångström. */
export const RUNGS = [0.001, 0.01, 0.03, 0.1] as const

/** Groups within several tolerances, without those between two of one group. Blocks, and throws, as `spaceGroupWithin` does. */
export function groupsByTolerance(crystal: Crystal, known: FoundSymmetry): readonly GroupWithin[] {
  const { least: from, most: to } = known.certain
  const certain = RUNGS.filter((rung) => rung >= from && rung <= to).map(
    (rung) => [rung, groupOf(known, rung)] as const,
  )
  const found = new Map<number, GroupWithin>([...certain, [known.tolerance, groupOf(known, known.tolerance)]])
  const groupAt = (tolerance: number): GroupWithin | undefined => {
    const group = found.get(tolerance) ?? spaceGroupWithin(crystal, tolerance) ?? undefined
    if (group !== undefined) found.set(tolerance, group)
    return group
  }
  const [least, middle, wide, most] = RUNGS
  const [first, second, last] = [groupAt(least), groupAt(middle), groupAt(most)]
  const isFlat = second !== undefined && second.number === last?.number
  const third = isFlat ? { ...second, tolerance: wide } : groupAt(wide)
  return [first, second, third, last].filter((group) => group !== undefined)
}

function groupOf({ number, symbol }: FoundSymmetry, tolerance: number): GroupWithin {
  return { tolerance, number, symbol }
}

/** Tells whether a crystal nearly has another symmetry than it has; undefined where that is not known. */
export function isPseudosymmetric(groups: readonly GroupWithin[]): boolean | undefined {
  const numberAt = (rung: number) => groups.find(({ tolerance }) => tolerance === rung)?.number
  const [usual, loose] = [numberAt(RUNGS[1]), numberAt(RUNGS[3])]
  return usual === undefined || loose === undefined ? undefined : usual !== loose
}
