import type { Energies } from '../energies.ts'
import { isRule, type LineBlock, numbersIn } from './line-block.ts'

/** Names of terms of the energy, as vasprun.xml has them, by those of the report. */
const TERMS: Readonly<Record<string, string>> = {
  PSCENC: 'alphaZ',
  TEWEN: 'ewald',
  DENC: 'hartreedc',
  EXHF: 'exhf',
  XCENC: 'XCdc',
  EENTRO: 'eentropy',
  EBANDS: 'bandstr',
  EATOM: 'atom',
  TOTEN: 'e_fr_energy',
}

const MOST_TERMS = 100
const LONGEST_LABEL = 100

/** Terms of the free energy of an electronic step, up to the free energy, in eV. */
export function termsBlock(take: (terms: Energies, free: number | null) => void): LineBlock {
  const terms = new Map<string, number | null>()
  return {
    take: (line) => {
      if (terms.has('e_fr_energy') || terms.size >= MOST_TERMS) return false
      const sign = line.indexOf('=')
      const label = sign < 0 || sign > LONGEST_LABEL ? '' : line.slice(0, sign).trim()
      if (label === '') return isRule(line)
      const values = numbersIn(line.slice(sign + 1).replace(/eV\s*$/, '')) ?? []
      for (const [index, name] of termNames(label).entries()) terms.set(name, values[index] ?? null)
      if (terms.has('e_fr_energy')) take(terms, values[0] ?? null)
      return true
    },
  }
}

/** Names of the terms of a line, by the last word before the sign. */
function termNames(label: string): readonly string[] {
  if (label === 'PAW double counting') return ['pawpsdc', 'pawaedc']
  const name = label.split(/\s+/).at(-1) ?? label
  return [Object.hasOwn(TERMS, name) ? (TERMS[name] ?? name) : name]
}

/** Energies behind the forces, at the end of an ionic step: the free energy, that without entropy, and that at no smearing. */
export function endBlock(take: (energies: Energies) => void): LineBlock {
  const energies = new Map<string, number | null>()
  return {
    take: (line) => {
      const [, free] = /free {1,2}energy\s+TOTEN\s*=\s*(\S+)/.exec(line) ?? []
      if (free !== undefined) energies.set('e_fr_energy', numbersIn(free)?.[0] ?? null)
      const [, without, zero] = ENTROPY.exec(line) ?? []
      if (without === undefined || zero === undefined) return free !== undefined || isRule(line)
      energies.set('e_wo_entrp', numbersIn(without)?.[0] ?? null)
      energies.set('e_0_energy', numbersIn(zero)?.[0] ?? null)
      take(energies)
      return true
    },
  }
}

/** Line of energies without entropy, and at no smearing. */
export const ENTROPY = /energy\s+without entropy\s*=\s*(\S+)\s+energy\(sigma->0\)\s*=\s*(\S+)/

/** Last column of a table of the atoms, which is the sum over the orbitals: `# of ion  s  p  d  tot`. */
export function sumsBlock(take: (sums: readonly number[]) => void, most: number): LineBlock {
  const sums: number[] = []
  let isOver = false
  return {
    take: (line) => {
      if (isOver) return false
      const numbers = isRule(line) ? null : numbersIn(line)
      if (numbers !== null && numbers.length > 1 && sums.length <= most) {
        sums.push(numbers.at(-1) ?? 0)
        return true
      }
      if (sums.length === 0) return isRule(line) || /^\s*#\s*of ion/.test(line)
      // The sum over the atoms stands behind a rule; that of one atom is not written.
      if (/^\s*-+\s*$/.test(line)) return true
      isOver = true
      take(sums)
      return /^\s*tot\s/.test(line)
    },
  }
}
