import type { Json } from '../../kernel/json.ts'
import {
  type DiffractionTerms,
  STANDARD_CELLS,
  type StandardCellName,
} from '../../records/kinds/material/crystal-answers.ts'
import { findRadiation, RADIATIONS, USUAL_RADIATION } from '../../structure/diffraction/radiation.ts'
import { invalidField } from './body.ts'
import { invalidParameter, type Parameters } from './parameters.ts'

/** What a client may say about a diffraction pattern, in a body or an address. */
export const DIFFRACTION_NAMES = ['radiation', 'wavelength', 'min', 'max', 'cell'] as const
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

const NUMBERS: ReadonlySet<DiffractionName> = new Set(['wavelength', 'min', 'max'])
const DECIMAL = /^\d{1,6}(\.\d{1,10})?$/

function numberOrText(name: DiffractionName, text: string | undefined): Json | undefined {
  return text !== undefined && NUMBERS.has(name) && DECIMAL.test(text) ? Number(text) : text
}

function readTerms({ value, refuse }: Source): DiffractionTerms {
  const numberOf = (name: DiffractionName, least: number, most: number): number | undefined => {
    const given = value(name)
    if (given === undefined) return undefined
    if (typeof given === 'number' && given >= least && given <= most) return given
    throw refuse(name, `a number from ${least} to ${most}`)
  }
  const wavelength = numberOf('wavelength', WAVELENGTHS.least, WAVELENGTHS.most)
  const name = value('radiation')
  if (wavelength !== undefined && name !== undefined)
    throw refuse('radiation', 'nothing beside wavelength: give one of the two')
  const radiation =
    typeof (name ?? USUAL_RADIATION) === 'string' ? findRadiation(String(name ?? USUAL_RADIATION)) : undefined
  if (radiation === undefined)
    throw refuse('radiation', `one of ${Object.keys(RADIATIONS).join(', ')}; for others give wavelength in Å`)
  const min = numberOf('min', 0, WIDEST) ?? USUAL_RANGE.min
  const max = numberOf('max', 0, WIDEST) ?? Math.max(USUAL_RANGE.max, Math.min(WIDEST, min + 1))
  if (min >= max) throw refuse('min', `a 2θ in degrees below max, which is ${max}`)
  const cell = DIFFRACTING_CELLS.find((known) => known === (value('cell') ?? 'conventional'))
  if (cell === undefined) throw refuse('cell', `one of ${DIFFRACTING_CELLS.join(', ')}`)
  const beam =
    wavelength === undefined ? { radiation, wavelength: RADIATIONS[radiation] } : { radiation: null, wavelength }
  return { ...beam, min, max, cell }
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
