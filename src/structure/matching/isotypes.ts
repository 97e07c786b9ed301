import { hash } from 'node:crypto'
import { BoundedCache } from '../../kernel/bounded-cache.ts'
import type { Crystal } from '../crystal.ts'
import { findElement } from '../elements/element.ts'
import { length } from '../linear-algebra.ts'
import { isPartial } from '../occupancy.ts'
import { RUNGS } from '../symmetry/find-symmetry.ts'
import { reasonAgainst } from '../symmetry/reason-against.ts'
import type { FoundSymmetry, GroupReport, KnownGroup, SymmetryReport } from '../symmetry/symmetry-report.ts'
import { prototypeLabel } from './prototype.ts'

/** Sites of all crystals that are remembered, and what one has beside its sites, in sites. */
const REMEMBERED = { most: 200_000 }
const ENTRY = 30
/** Of larger ones the groups within other tolerances are not sought. */
const MOST_SITES = 500
/**
 * Crystal systems in which the finder takes the same axes and origin for all isotypes. In the others the last digits may choose among those that are equivalent, and with them
 * the Wyckoff letters: of 20,000 crystals in I4₁/amd, I-42d, I-4m2, I-4, C2 and C2/c alone.
 */
const SETTLED_SYSTEMS: readonly string[] = ['cubic', 'hexagonal', 'trigonal']
/** Shares of a cell's size by which shapes are told apart: a crystal is off by so little beside any tolerance. */
const SHAPE_STEPS = 1e9
/** By as much (Å) may an operator be off in one isotype and not in another, many times over. */
const SHAPE_ANGSTROM = 1e-6

/** What was found of one crystal of a form. */
interface Known {
  readonly group: KnownGroup
  /** Tolerances between which the group is certain, in sizes of the crystal. */
  readonly least: number
  readonly most: number
}

/**
 * Groups of crystals that were looked at before. A crystal that differs from one of them in its size and its elements alone, as those of a screening study or of an equation of state
 * do, has the same symmetry in all that numbers, symbols and letters say of it, wherever the other's is certain within the tolerances that are asked for.
 */
export class Isotypes {
  readonly #known = new BoundedCache<Known>(REMEMBERED)

  /** Tells the group of a crystal by an isotype, or by a search that finds those within other tolerances too. */
  groupOf(crystal: Crystal, tolerance: number, search: () => SymmetryReport): GroupReport {
    const { sites } = crystal
    if (sites.length === 0 || sites.length > MOST_SITES || sites.some(isPartial)) return search()
    const size = length(crystal.lattice[0])
    const form = formOf(crystal, size, tolerance)
    const known = this.#known.get(form)
    if (known !== undefined && isCertain(known, size, tolerance) && reasonAgainst(crystal) === undefined) {
      return known.group
    }
    const report = search()
    if (report.status === 'computed' && SETTLED_SYSTEMS.includes(report.crystalSystem)) this.#keep(form, size, report)
    return report
  }

  /** The smallest crystal of a form speaks for the most others. */
  #keep(form: string, size: number, report: FoundSymmetry): void {
    const { certain, byTolerance, tolerance } = report
    const known = { least: certain.least / size, most: certain.most / size }
    const before = this.#known.get(form)
    if (byTolerance?.length !== RUNGS.length || !isCertain(known, size, tolerance)) return
    if (before !== undefined && before.most >= known.most) return
    this.#known.set(form, { ...known, group: groupIn(report) }, ENTRY + report.wyckoffLetters.length)
  }
}

/** Whether the group is certain within all tolerances that a material tells, in a crystal of a size. */
function isCertain({ least, most }: Pick<Known, 'least' | 'most'>, size: number, tolerance: number): boolean {
  const [from, to] = [Math.min(tolerance, ...RUNGS), Math.max(tolerance, ...RUNGS)]
  return least * size + SHAPE_ANGSTROM <= from && to <= most * size
}

/** The cells are left out: they have the crystal's own size and elements. */
function groupIn(report: FoundSymmetry): KnownGroup {
  const { status, number, symbol, hallSymbol, isStandardSetting, crystalSystem, pointGroup } = report
  const { latticeType, pearsonSymbol, wyckoffLetters, tolerance, byTolerance = [] } = report
  const words = { status, number, symbol, hallSymbol, isStandardSetting, crystalSystem, pointGroup, latticeType }
  return { ...words, pearsonSymbol, wyckoffLetters, tolerance, byTolerance, prototypeLabel: prototypeLabel(report) }
}

/** Digest of all that the search depends on but the size: the shape of the cell, the places, and the order of the elements. */
function formOf({ lattice, sites }: Crystal, size: number, tolerance: number): string {
  const ranks = ranksOf(sites)
  const numbers = [tolerance, ...lattice.flat().map((x) => Math.round((x / size) * SHAPE_STEPS))]
  for (const { element, fraction } of sites) numbers.push(ranks.get(element) ?? -1, ...fraction)
  return hash('sha256', Float64Array.from(numbers), 'base64')
}

/** The elements of a crystal, numbered in their order: the finder knows no more of them. */
function ranksOf(sites: Crystal['sites']): ReadonlyMap<string, number> {
  const elements = [...new Set(sites.map(({ element }) => element))]
  const byNumber = elements.sort((one, other) => (findElement(one)?.number ?? 0) - (findElement(other)?.number ?? 0))
  return new Map(byNumber.map((element, rank) => [element, rank]))
}
