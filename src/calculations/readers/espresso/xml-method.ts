import { EV_PER_HARTREE } from '../../../page/units.ts'
import { readCount } from '../../../structure/formats/common/text.ts'
import type { Method } from '../../calculation.ts'
import type { XmlParts } from './xml-parts.ts'
import type { XmlSpecies } from './xml-species.ts'
import type { XmlElement } from './xml-tree.ts'

interface MethodContext {
  readonly species: XmlSpecies
  readonly parts: XmlParts
  readonly sites: number
}

/** How electrons are described, and how exactly. */
export function methodOf(root: XmlElement, { species, parts, sites }: MethodContext): Method | null {
  const output = root.peek('output')
  const algorithms = output?.peek('algorithmic_info')
  if (algorithms === undefined) return null
  const [isPaw, isUltraSoft] = ['paw', 'uspp'].map((name) => algorithms.takeText(name) === 'true')
  const cutoff = output?.takeNumber('basis_set', 'ecutwfc')
  const structure = output?.peek('band_structure')
  const grid = gridOf(structure?.peek('starting_k_points', 'monkhorst_pack'))
  const kpoints = readCount(structure?.takeText('nks')) ?? parts.bands.count
  const width = Number(structure?.peek('smearing')?.takeAttribute('degauss'))
  return {
    type: 'pseudopotential',
    subtype: isPaw ? 'paw' : isUltraSoft ? 'ultra-soft' : 'norm-conserving',
    precision: {
      ...(grid === null ? {} : { kgrid: grid, kppra: grid[0] * grid[1] * grid[2] * sites }),
      ...(kpoints > 0 ? { kpoints } : {}),
      ...(cutoff === undefined ? {} : { cutoff: cutoff * EV_PER_HARTREE }),
      ...(Number.isFinite(width) ? { smearing: width * EV_PER_HARTREE } : {}),
    },
    potentials: species.potentials,
  }
}

function gridOf(pack: XmlElement | undefined): readonly [number, number, number] | null {
  const [a, b, c] = ['nk1', 'nk2', 'nk3'].map((name) => readCount(pack?.attributes.get(name)))
  if (pack === undefined || a === undefined || b === undefined || c === undefined || a * b * c === 0) return null
  for (const name of ['nk1', 'nk2', 'nk3']) pack.takeAttribute(name)
  return [a, b, c]
}
