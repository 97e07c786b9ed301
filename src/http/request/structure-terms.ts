import type { Json } from '../../kernel/json.ts'
import {
  type DiffractionTerms,
  STANDARD_CELLS,
  type StandardCellName,
} from '../../records/kinds/material/crystal-answers.ts'
import {
  findRadiation,
  NEUTRON,
  RADIATIONS,
  USUAL_NEUTRON_WAVELENGTH,
  USUAL_RADIATION,
} from '../../structure/diffraction/radiation.ts'
import { LEAST_TOLERANCE_ANGSTROM, MOST_TOLERANCE_ANGSTROM } from '../../structure/symmetry/symmetry-report.ts'
import { invalidField } from './body.ts'
import { invalidParameter, type Parameters } from './parameters.ts'

/** Options of a diffraction pattern, in a body or an address. */
export const DIFFRACTION_NAMES = ['radiation', 'wavelength', 'min', 'max', 'cell', 'tolerance'] as const
type DiffractionName = (typeof DIFFRACTION_NAMES)[number]

const WAVELENGTHS = { least: 0.05, most: 10 } as const
/** At 180 degrees a powder's peak would be infinitely strong. */
const WIDEST = 179
const USUAL_RANGE = { min: 0, max: 90 } as const
const DIFFRACTING_CELLS = ['conventional', 'given'] as const

/** Gives the value of a name, and makes the refusal of one that is wrong. */
interface Source {
  readonly value: (name: DiffractionName) => Json | undefined
  readonly refuse: (name: DiffractionName, expected: string) => Error
}

/** Reads what is asked of a pattern from the parameters of an address. */
export function diffractionParameters(parameters: Parameters): DiffractionTerms {
  return readTerms({
    value: (name) => numberOrText(name, parameters.get(name)),
    refuse: (name, expected) => invalidParameter(name, parameters.get(name) ?? '', expected),
  })
}

/** Reads the same from the fields of a body. */
export function diffractionFields(fields: Readonly<Partial<Record<DiffractionName, Json>>>): DiffractionTerms {
  return readTerms({ value: (name) => fields[name] ?? undefined, refuse: invalidField })
}

const NUMBERS: ReadonlySet<DiffractionName> = new Set(['wavelength', 'min', 'max', 'tolerance'])
const DECIMAL = /^\d{1,6}(\.\d{1,10})?$/

function numberOrText(name: DiffractionName, text: string | undefined): Json | undefined {
  return text !== undefined && NUMBERS.has(name) && DECIMAL.test(text) ? Number(text) : text
}

function readTerms(source: Source): DiffractionTerms {
  const { value, refuse } = source
  const numberOf = (name: DiffractionName, least: number, most: number): number | undefined => {
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
  const tolerance = numberOf('tolerance', LEAST_TOLERANCE_ANGSTROM, MOST_TOLERANCE_ANGSTROM)
  return { ...beam, min, max, cell, tolerance }
}

/** A tube by its line, any wavelength of X-rays, or neutrons of any wavelength. */
function readBeam(
  { value, refuse }: Source,
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

const A_TOLERANCE = `a number of Å from ${LEAST_TOLERANCE_ANGSTROM} to ${MOST_TOLERANCE_ANGSTROM}`

/** Reads within what distance symmetry is to be sought; undefined where nothing is said. */
export function toleranceParameter(parameters: Parameters): number | undefined {
  const text = parameters.get('tolerance')
  if (text === undefined) return undefined
  const value = DECIMAL.test(text) ? Number(text) : Number.NaN
  if (value >= LEAST_TOLERANCE_ANGSTROM && value <= MOST_TOLERANCE_ANGSTROM) return value
  throw invalidParameter('tolerance', text, A_TOLERANCE)
}

/** The same from a field of a body. */
export function toleranceField(value: Json | undefined): number | undefined {
  if (value === undefined || value === null) return undefined
  if (typeof value === 'number' && value >= LEAST_TOLERANCE_ANGSTROM && value <= MOST_TOLERANCE_ANGSTROM) return value
  throw invalidField('tolerance', A_TOLERANCE)
}

/** Reads which standard cell an analysis is to have; none where nothing is said. */
export function standardCellParameter(parameters: Parameters): StandardCellName | undefined {
  const text = parameters.get('cell')
  return text === undefined ? undefined : (standardCell(text) ?? refuseCell(text))
}

/** The same from a field of a body. */
export function standardCellField(value: Json | undefined): StandardCellName | undefined {
  if (value === undefined || value === null) return undefined
  const cell = standardCell(value)
  if (cell === undefined) throw invalidField('cell', `one of ${STANDARD_CELLS.join(', ')}`)
  return cell
}

function standardCell(value: Json): StandardCellName | undefined {
  return STANDARD_CELLS.find((known) => known === value)
}

function refuseCell(text: string): never {
  throw invalidParameter('cell', text, `one of ${STANDARD_CELLS.join(', ')}`)
}
