import type { Densities } from '../densities.ts'
import { arrayOf, type RowReader } from './numbered-sets.ts'
import { type Unused, unusedAt } from './structure-element.ts'
import { type ElementReader, textOf } from './xml-elements.ts'
import { numbersOf } from './xml-values.ts'

/** What is found in an element of densities of states. */
export interface DensitiesFound {
  readonly densities: Densities
  /** In eV. */
  fermi: number | null
  /** Integrals, and densities of magnetization, which are not used: names and how many rows. */
  readonly counts: Map<string, number>
}

/** Reader of densities of states. Takes the elements of the atoms, in their order. */
export function densitiesOf(found: DensitiesFound, elements: readonly string[], unused: Unused): ElementReader {
  const other = unusedAt(unused)
  const arrays = (make: (fields: readonly string[]) => RowReader, depth: number): ElementReader => ({
    within: (tag) => (tag.name === 'array' ? arrayOf(depth, make, other) : other(tag)),
    end: () => {},
  })
  return {
    within: (tag) => {
      if (tag.name === 'i' && tag.attributes.name === 'efermi')
        return textOf((text) => {
          found.fermi = numbersOf(text)?.[0] ?? null
        }, other)
      if (tag.name === 'total') return arrays(() => totals(found), 1)
      if (tag.name === 'partial') return arrays((fields) => partials(found, fields, elements), 2)
      return other(tag)
    },
    end: () => {},
  }
}

function totals({ densities, counts }: DensitiesFound): RowReader {
  return {
    take: ({ sets: [spin = 0], numbers }) => {
      const [energy, density] = numbers ?? []
      if (energy === undefined || density === undefined) return densities.skip()
      densities.addTotal(spin, energy, density)
      count(counts, 'total.integrated')
    },
  }
}

/** Rows by atom and spin: an energy, and a density for each of the orbitals. With moments in any direction there are four sets in place of spins: the density, and those of the magnetization. */
function partials(
  { densities, counts }: DensitiesFound,
  fields: readonly string[],
  elements: readonly string[],
): RowReader {
  const states = fields.slice(1).map(stateOf)
  return {
    take: ({ sets: [atom = 0, spin = 0], row, numbers }) => {
      const element = elements[atom]
      if (numbers === null || element === undefined || numbers.length !== fields.length) return densities.skip()
      if (spin >= densities.spins) return count(counts, 'partial.magnetization')
      for (const [index, state] of states.entries())
        densities.addPartial({ element, state, spin }, row, numbers[index + 1] as number)
    },
  }
}

/** Orbital by a name that begins with its letter: VASP writes `x2-y2` and `dx2` for one. */
function stateOf(field: string): string {
  return field === 'x2-y2' || field === 'dx2' ? 'dx2-y2' : field
}

function count(counts: Map<string, number>, name: string): void {
  counts.set(name, (counts.get(name) ?? 0) + 1)
}
