import type { Bands } from '../bands.ts'
import { isRule, type LineBlock, numbersIn } from './line-block.ts'

/** Energies and occupations by spin and k-point, behind the line of the Fermi energy. */
export function bandsBlock(bands: Bands): LineBlock {
  let [spin, point] = [0, -1]
  return {
    take: (line) => {
      if (isRule(line) || /^\s*band No\./.test(line)) return true
      const [, component] = /^\s*spin component\s+(\d)\s*$/.exec(line) ?? []
      if (component !== undefined) {
        ;[spin, point] = [Number(component) - 1, -1]
        return true
      }
      if (/^\s*k-point\s*[\d*]+\s*:/.test(line)) {
        point++
        bands.begin(spin, point)
        return true
      }
      const [, energy, occupation] = numbersIn(line) ?? []
      if (energy === undefined || occupation === undefined || point < 0) return false
      bands.add(energy, occupation)
      return true
    },
  }
}
