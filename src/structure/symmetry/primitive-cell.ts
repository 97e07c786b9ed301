import type { Crystal, CrystalSite } from '../formats/crystal.ts'
import { wrapFraction } from '../formats/near-pairs.ts'
import { combineRows, inverse, type Matrix3, type Vector3 } from '../vector.ts'
import { findTranslation } from './find-translation.ts'
import { hermiteForm } from './hermite-form.ts'

/** A cell without repetitions, and which of its sites each site of the larger cell repeats. */
export interface PrimitiveCell {
  readonly cell: Pick<Crystal, 'lattice' | 'sites'>
  /** Indices into the sites of the cell, one for each site of the crystal. */
  readonly repeats: readonly number[]
}

/**
 * Takes a crystal apart into a smallest cell that repeats: translation after translation is found and made a lattice vector. Exact on ideal
 * supercells, whose atoms are within the tolerance of each other's images; a crystal without repetitions comes back as it is.
 */
export function primitiveCellOf(crystal: Pick<Crystal, 'lattice' | 'sites'>, tolerance: number): PrimitiveCell {
  let found: PrimitiveCell = { cell: crystal, repeats: crystal.sites.map((_, index) => index) }
  for (;;) {
    const smaller = withOneTranslationLess(found.cell, tolerance)
    if (smaller === undefined) return found
    found = { cell: smaller.cell, repeats: found.repeats.map((index) => smaller.repeats[index] as number) }
  }
}

function withOneTranslationLess(
  cell: Pick<Crystal, 'lattice' | 'sites'>,
  tolerance: number,
): PrimitiveCell | undefined {
  const translation = findTranslation(cell, tolerance)
  if (translation === undefined) return undefined
  const { numerators, order, images } = translation
  // The new lattice has the old vectors and the translation: in parts of one over the order all of them are whole numbers.
  const rows = hermiteForm([[order, 0, 0], [0, order, 0], [0, 0, order], numerators])
  const basis = rows.map((row) => row.map((x) => x / order)) as unknown as Matrix3
  const toNew = inverse(basis)
  const sites: CrystalSite[] = []
  const repeats = new Array<number>(cell.sites.length).fill(-1)
  for (const [index, site] of cell.sites.entries()) {
    if (repeats[index] !== -1) continue
    for (let at = index; repeats[at] === -1; at = images[at] as number) repeats[at] = sites.length
    sites.push({ ...site, fraction: combineRows(site.fraction, toNew).map(wrapFraction) as unknown as Vector3 })
  }
  const lattice = basis.map((row) => combineRows(row, cell.lattice)) as unknown as Matrix3
  return { cell: { lattice, sites }, repeats }
}
