import { findElement } from './elements/element.ts'
import type { ElementCounts } from './formula.ts'
import { GRAM_PER_CM3_OF_DALTON_PER_ANGSTROM3 } from './units.ts'

/** Mass density in g/cm³ of a cell (volume in Å³) with these contents. Elements must be known. */
export function density(counts: ElementCounts, volume: number): number {
  let mass = 0
  for (const [symbol, count] of counts) mass += (findElement(symbol)?.mass ?? Number.NaN) * count
  return (mass / volume) * GRAM_PER_CM3_OF_DALTON_PER_ANGSTROM3
}
