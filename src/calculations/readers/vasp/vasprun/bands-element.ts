import type { Bands } from '../bands.ts'
import { arrayOf } from './numbered-sets.ts'
import { type Unused, unusedAt } from './structure-element.ts'
import type { ElementReader } from './xml-elements.ts'

/** Reader of eigenvalues: sets of spins, in these sets of k-points, in these rows of an energy and an occupation. Says when one is no number. */
export function bandsOf(bands: Bands, onGap: () => void, unused: Unused): ElementReader {
  const other = unusedAt(unused)
  const rows = {
    begin: ([spin = 0, point = 0]: readonly number[]) => bands.begin(spin, point),
    take: ({ numbers }: { readonly numbers: readonly number[] | null }) => {
      const [energy, occupation] = numbers ?? []
      if (energy === undefined || occupation === undefined) onGap()
      else bands.add(energy, occupation)
    },
  }
  return { within: (tag) => (tag.name === 'array' ? arrayOf(2, () => rows, other) : other(tag)), end: () => {} }
}
