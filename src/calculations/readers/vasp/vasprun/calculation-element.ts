import type { Vector3 } from '../../../../structure/linear-algebra.ts'
import type { OutputLimits, Result } from '../../../calculation.ts'
import { Bands } from '../bands.ts'
import { Densities } from '../densities.ts'
import { type Energies, totalEnergyOf } from '../energies.ts'
import type { KPoints } from '../k-points.ts'
import type { Positions } from '../structure.ts'
import { bandsOf } from './bands-element.ts'
import { type DensitiesFound, densitiesOf } from './densities-element.ts'
import { dielectricOf } from './dielectric-element.ts'
import { structureOf, type Unused, unusedAt, vectorsOf } from './structure-element.ts'
import { type ElementReader, type Tag, textOf } from './xml-elements.ts'
import { numbersOf } from './xml-values.ts'

/** What is known before the first ionic step. */
export interface KnownBefore {
  readonly kPoints: KPoints | null
  /** Elements of the atoms, in their order. */
  readonly elements: readonly string[]
}

/** What one ionic step says, as it is read. */
export class IonicStep {
  /** Free energies of the electronic steps, in eV. */
  readonly electronic: number[] = []
  lastElectronic: Energies | undefined
  energies: Energies = new Map()
  structure: Positions | null = null
  /** In eV/Å. */
  forces: readonly Vector3[] | null = null
  /** In kbar, with the sign of a pressure. */
  stress: readonly Vector3[] | null = null
  bands: Bands | null = null
  densities: DensitiesFound | null = null
  dielectric: Result | null = null
  /** Names of what has a number that could not be read. */
  readonly unread: string[] = []
  /** Names of what the same step says again, later and otherwise. */
  readonly replaced: string[] = []

  /** In eV. */
  get energy(): number | null {
    return totalEnergyOf(this.energies, this.lastElectronic)
  }
}

/** Reader of an ionic step. */
export function ionicStepOf(
  take: (step: IonicStep) => void,
  { known, limits, unused }: { readonly known: KnownBefore; readonly limits: OutputLimits; readonly unused: Unused },
): { readonly step: IonicStep; readonly reader: ElementReader } {
  const step = new IonicStep()
  const other = unusedAt(unused)
  const within = (name: string): Unused => ({ ...unused, path: [...unused.path, name] })
  const readers: Readonly<Record<string, (tag: Tag) => ElementReader>> = {
    scstep: () => electronicStepOf(step, limits.numbers, within('scstep')),
    structure: () => structureOf((structure) => (step.structure = structure), limits, within('structure')),
    energy: () => energiesOf((energies) => (step.energies = energies), unusedAt(within('energy'))),
    varray: (tag) => vectors(tag),
    eigenvalues: () => {
      if (step.bands !== null) step.replaced.push('eigenvalues')
      step.bands = new Bands(known.kPoints, limits.numbers)
      return bandsOf(step.bands, () => noteOnce(step.unread, 'eigenvalues'), within('eigenvalues'))
    },
    dos: () => {
      if (step.densities !== null) step.replaced.push('dos')
      step.densities = { densities: new Densities(limits.numbers), fermi: null, counts: new Map() }
      return densitiesOf(step.densities, known.elements, within('dos'))
    },
    dielectricfunction: (tag) => {
      if (step.dielectric !== null) return other(tag)
      return dielectricOf(
        (result) => {
          step.dielectric = result
          if (result === null) step.unread.push('dielectricfunction')
        },
        limits.numbers,
        within('dielectricfunction'),
      )
    },
  }
  const vectors = (tag: Tag): ElementReader => {
    const { name = '' } = tag.attributes
    if (name !== 'forces' && name !== 'stress') return other(tag)
    return vectorsOf(
      (rows) => {
        const whole = rows.filter((row) => row !== null)
        if (whole.length < rows.length || rows.length === 0) step.unread.push(name)
        else step[name] = whole
      },
      limits.atoms,
      other,
    )
  }
  const reader: ElementReader = {
    // Sets of a second list of k-points carry a comment that says so.
    within: (tag) =>
      isSecond(tag) || !Object.hasOwn(readers, tag.name) ? other(tag) : (readers[tag.name]?.(tag) ?? other(tag)),
    end: () => take(step),
  }
  return { step, reader }
}

function isSecond({ name, attributes }: Tag): boolean {
  return attributes.comment !== undefined && (name === 'eigenvalues' || name === 'dos')
}

function electronicStepOf(step: IonicStep, most: number, unused: Unused): ElementReader {
  const other = unusedAt(unused)
  return {
    within: (tag) =>
      tag.name === 'energy'
        ? energiesOf(
            (energies) => {
              step.lastElectronic = energies
              const free = energies.get('e_fr_energy')
              if (typeof free === 'number' && step.electronic.length < most) step.electronic.push(free)
            },
            unusedAt({ ...unused, path: [...unused.path, 'energy'] }),
          )
        : other(tag),
    end: () => {},
  }
}

const MOST_TERMS = 200

function energiesOf(take: (energies: Energies) => void, other: (tag: Tag) => ElementReader): ElementReader {
  const energies = new Map<string, number | null>()
  return {
    within: (tag) => {
      const { name = '' } = tag.attributes
      if (tag.name !== 'i' || name === '' || energies.size >= MOST_TERMS) return other(tag)
      return textOf((text) => energies.set(name, numbersOf(text)?.[0] ?? null), other)
    },
    end: () => take(energies),
  }
}

function noteOnce(names: string[], name: string): void {
  if (!names.includes(name)) names.push(name)
}
