import { findElement } from '../elements/element.ts'
import { isCell } from '../formats/cell.ts'
import type { Crystal } from '../formats/crystal.ts'
import { nearPairs } from '../formats/near-pairs.ts'
import { SAME_PLACE_ANGSTROM } from '../formats/overlap.ts'
import { analyzeSymmetry } from './analyze-symmetry.ts'
import type { NoSymmetry, SymmetryReport } from './symmetry-report.ts'

/** The symmetry finder broke down within WebAssembly: its memory is in no defined state, and its thread is of no more use. */
export class FinderBroken extends Error {
  constructor(cause: Error) {
    super(`the symmetry finder broke down: ${cause.message}`, { cause })
    this.name = 'FinderBroken'
  }
}

/**
 * Finds the space group of any crystal, or says why not. Blocks, possibly for minutes: it belongs into a thread that can be ended.
 * Throws `FinderBroken` only.
 */
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

/** The report of a crystal whose symmetry is not known. */
export function notComputed(reason: string): NoSymmetry {
  return { status: 'not computed', reason }
}

/** What the symmetry finder would trap on, or what has no space group. */
function reasonAgainst(crystal: Crystal): string | undefined {
  const { lattice, sites, periodic } = crystal
  if (periodic.includes(false)) return 'the structure does not repeat in all three directions'
  if (sites.length === 0) return 'the structure has no atoms'
  if (!lattice.flat().every(Number.isFinite) || !isCell(lattice)) return 'the lattice vectors span no cell'
  if (!sites.every((site) => site.fraction.every(Number.isFinite))) return 'an atom has no place'
  const unknown = sites.find((site) => findElement(site.element) === undefined)
  if (unknown !== undefined) return `${unknown.element} is no chemical element`
  const fractions = sites.map((site) => site.fraction)
  const [pair] = nearPairs(lattice, periodic, fractions, () => SAME_PLACE_ANGSTROM, SAME_PLACE_ANGSTROM)
  return pair === undefined ? undefined : `atoms ${pair.first + 1} and ${pair.second + 1} are at one place`
}
