import type { Json } from '../../../../kernel/json.ts'
import type { Result } from '../../../calculation.ts'
import { arrayOf, type SetRow } from './numbered-sets.ts'
import { type Unused, unusedAt } from './structure-element.ts'
import type { ElementReader } from './xml-elements.ts'

/** Tensors at energies: `xx`, `yy`, `zz`, `xy`, `yz`, `zx` for each. */
interface Part {
  readonly name: 'real' | 'imaginary'
  readonly energies: number[]
  readonly tensors: (readonly number[])[]
}

/** Numbers of a row: an energy in eV, and the six of a symmetric tensor. */
const COLUMNS = 7

/** Reader of a dielectric function; gives nothing where it has other numbers, or more than `most`. */
export function dielectricOf(take: (result: Result | null) => void, most: number, unused: Unused): ElementReader {
  const other = unusedAt(unused)
  const parts: Part[] = []
  let isWhole = true
  let count = 0
  const partOf = (name: Part['name']): ElementReader => {
    const part: Part = { name, energies: [], tensors: [] }
    parts.push(part)
    const row = ({ numbers }: SetRow): void => {
      const [energy, ...tensor] = numbers ?? []
      count += COLUMNS
      if (energy === undefined || tensor.length !== COLUMNS - 1 || count > most) {
        isWhole = false
        return
      }
      part.energies.push(energy)
      part.tensors.push(tensor)
    }
    return {
      within: (tag) => (tag.name === 'array' ? arrayOf(0, () => ({ take: row }), other) : other(tag)),
      end: () => {},
    }
  }
  return {
    within: (tag) => {
      if (tag.name === 'imag') return partOf('imaginary')
      return tag.name === 'real' ? partOf('real') : other(tag)
    },
    end: () => take(isWhole && parts.length > 0 ? resultOf(parts) : null),
  }
}

function resultOf(parts: readonly Part[]): Result {
  const inOrder = [...parts].sort((one, other) => (one.name === other.name ? 0 : one.name === 'real' ? -1 : 1))
  const values: Json[] = inOrder.map(({ name, energies, tensors }) => ({
    part: name,
    frequencies: energies,
    components: tensors,
  }))
  return { name: 'dielectric_tensor', data: { values } }
}
