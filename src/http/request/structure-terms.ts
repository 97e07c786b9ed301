import type { Json } from '../../kernel/json.ts'
import type { DiffractionTerms } from '../../records/kinds/material/crystal-answers.ts'
import {
  ORDERED,
  ORDERED_LIMITS,
  type PrintTerms,
  WRITTEN_SYMMETRIES,
} from '../../records/kinds/material/print-material.ts'
import {
  findRadiation,
  NEUTRON,
  RADIATIONS,
  USUAL_NEUTRON_WAVELENGTH,
  USUAL_RADIATION,
} from '../../structure/diffraction/radiation.ts'
import type { StructureFormat } from '../../structure/formats/common/format.ts'
import { formatNames } from '../../structure/formats/registry.ts'
import { STANDARD_CELLS, type StandardCellName } from '../../structure/symmetry/standard-cell.ts'
import { LEAST_TOLERANCE_ANGSTROM, MOST_TOLERANCE_ANGSTROM } from '../../structure/symmetry/symmetry-report.ts'
import { invalidField } from './body.ts'
import { invalidParameter, type Parameters } from './parameters.ts'

const WAVELENGTHS = { least: 0.05, most: 10 } as const
/** At 180 degrees a powder's peak would be infinitely strong. */
const WIDEST = 179
const USUAL_RANGE = { min: 0, max: 90 } as const
/** Cells of a crystal that can diffract. */
export const DIFFRACTING_CELLS = ['conventional', 'given'] as const

/** Where options come from: their values by name, and the refusal of one that is wrong. */
export interface OptionSource {
  readonly value: (name: string) => Json | undefined
  readonly refuse: (name: string, expected: string) => Error
}

const NUMBERS: ReadonlySet<string> = new Set(['wavelength', 'min', 'max', 'tolerance'])
const DECIMAL = /^\d{1,6}(\.\d{1,10})?$/

/** Options in the parameters of an address, where numbers are digits. */
export function optionsOfAddress(parameters: Parameters): OptionSource {
  return {
    value: (name) => {
      const text = parameters.get(name)
      return text !== undefined && NUMBERS.has(name) && DECIMAL.test(text) ? Number(text) : text
    },
    refuse: (name, expected) => invalidParameter(name, parameters.get(name) ?? '', expected),
  }
}

/** Options in the fields of a body. */
export function optionsOfBody(fields: Readonly<Partial<Record<string, Json>>>): OptionSource {
  return { value: (name) => fields[name] ?? undefined, refuse: invalidField }
}

/** Reads what is asked of a pattern. */
export function readDiffraction(source: OptionSource): DiffractionTerms {
  const { value, refuse } = source
  const numberOf = (name: string, least: number, most: number): number | undefined => {
    const given = value(name)
    if (given === undefined) return undefined
    if (typeof given === 'number' && given >= least && given <= most) return given
    throw refuse(name, `a number from ${least} to ${most}`)
  }
  const beam = readBeam(source, numberOf('wavelength', WAVELENGTHS.least, WAVELENGTHS.most))
  const min = numberOf('min', 0, WIDEST) ?? USUAL_RANGE.min
  const max = numberOf('max', 0, WIDEST) ?? Math.max(USUAL_RANGE.max, Math.min(WIDEST, min + 1))
  if (min >= max) throw refuse('min', `a 2θ in degrees below max, which is ${max}`)
  const cell = DIFFRACTING_CELLS.find((known) => known === (value('cell') ?? 'conventional'))
  if (cell === undefined) throw refuse('cell', `one of ${DIFFRACTING_CELLS.join(', ')}`)
  return { ...beam, min, max, cell, tolerance: readTolerance(source) }
}

/** A tube by its line, any wavelength of X-rays, or neutrons of any wavelength. */
function readBeam(
  { value, refuse }: OptionSource,
  wavelength: number | undefined,
): Pick<DiffractionTerms, 'radiation' | 'wavelength' | 'beam'> {
  const name = value('radiation')
  if (typeof name === 'string' && name.toLowerCase() === NEUTRON) {
    return { radiation: NEUTRON, wavelength: wavelength ?? USUAL_NEUTRON_WAVELENGTH, beam: 'neutron' }
  }
  if (wavelength !== undefined && name !== undefined) {
    throw refuse('radiation', `nothing beside wavelength, or ${NEUTRON}`)
  }
  if (wavelength !== undefined) return { radiation: null, wavelength, beam: 'xRay' }
  const asked = name ?? USUAL_RADIATION
  const radiation = typeof asked === 'string' ? findRadiation(asked) : undefined
  if (radiation === undefined)
    throw refuse(
      'radiation',
      `one of ${Object.keys(RADIATIONS).join(', ')}, ${NEUTRON}; for others give wavelength in Å`,
    )
  return { radiation, wavelength: RADIATIONS[radiation], beam: 'xRay' }
}

/** Reads within how many Å symmetry is to be sought; undefined where nothing is said. */
export function readTolerance({ value, refuse }: OptionSource): number | undefined {
  const given = value('tolerance')
  const [least, most] = [LEAST_TOLERANCE_ANGSTROM, MOST_TOLERANCE_ANGSTROM]
  if (given === undefined || (typeof given === 'number' && given >= least && given <= most)) return given
  throw refuse('tolerance', `a number of Å from ${least} to ${most}`)
}

/** Reads whether the atoms are to be told. */
export function readBasisWanted({ value, refuse }: OptionSource): boolean {
  const given = value('basis')
  if (given === undefined || given === false || given === 'false') return false
  if (given === true || given === 'true') return true
  throw refuse('basis', 'true or false')
}

/** Reads which standard cell an analysis is to have; none where nothing is said. */
export function readStandardCell({ value, refuse }: OptionSource): StandardCellName | undefined {
  const given = value('cell')
  const cell = STANDARD_CELLS.find((known) => known === given)
  if (given === undefined || cell !== undefined) return cell
  throw refuse('cell', `one of ${STANDARD_CELLS.join(', ')}`)
}

const { usualAtoms, mostAtoms, usualSeed, mostSeed } = ORDERED_LIMITS

/** Reads how a file is to be written. */
export function readPrintTerms(source: OptionSource, { name: format, hasSymmetry }: StructureFormat): PrintTerms {
  const { value, refuse } = source
  const tolerance = readTolerance(source)
  const ordered = readOrdered(source)
  const given = value('symmetry')
  if (given === undefined) return { format, ordered, tolerance }
  const symmetry = WRITTEN_SYMMETRIES.find((known) => known === given)
  if (symmetry === undefined) throw refuse('symmetry', `one of ${WRITTEN_SYMMETRIES.join(', ')}`)
  // All atoms of the cell are what every other format lists.
  if (symmetry === 'standard' && hasSymmetry === undefined)
    throw refuse('symmetry', `none: only ${formatNames((known) => known.hasSymmetry === true)} files can say symmetry`)
  return { format, symmetry, ordered, tolerance }
}

function readOrdered({ value, refuse }: OptionSource): PrintTerms['ordered'] {
  const how = value('ordered')
  const [maxAtoms, seed] = [wholeNumber(value('maxAtoms')), wholeNumber(value('seed'))]
  if (how !== 'supercell') {
    const extra = maxAtoms !== undefined ? 'maxAtoms' : seed !== undefined ? 'seed' : undefined
    if (extra !== undefined) throw refuse(extra, 'left out, unless ordered is supercell')
  }
  if (how === undefined) return undefined
  if (how === 'majority') return { how }
  if (how !== 'supercell') throw refuse('ordered', `one of ${ORDERED.join(', ')}`)
  if (maxAtoms !== undefined && !(maxAtoms >= 1 && maxAtoms <= mostAtoms)) {
    throw refuse('maxAtoms', `a whole number from 1 to ${mostAtoms}`)
  }
  if (seed !== undefined && !(seed >= 0 && seed <= mostSeed)) {
    throw refuse('seed', `a whole number from 0 to ${mostSeed}`)
  }
  return { how, maxAtoms: maxAtoms ?? usualAtoms, seed: seed ?? usualSeed }
}

/** A number, or the digits of one; what is none is not a number. */
function wholeNumber(value: Json | undefined): number | undefined {
  if (value === undefined) return undefined
  const number = typeof value === 'string' && /^\d{1,10}$/.test(value) ? Number(value) : value
  return typeof number === 'number' && Number.isInteger(number) ? number : Number.NaN
}
