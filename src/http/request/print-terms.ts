import type { Json } from '../../kernel/json.ts'
import {
  ORDERED,
  ORDERED_LIMITS,
  type PrintTerms,
  WRITTEN_SYMMETRIES,
} from '../../records/kinds/material/print-material.ts'
import type { StructureFormat } from '../../structure/formats/common/format.ts'
import { formatNames } from '../../structure/formats/registry.ts'
import { invalidField } from './body.ts'
import { invalidParameter, type Parameters } from './parameters.ts'
import { toleranceField, toleranceParameter } from './structure-terms.ts'

/** Options of a written file beside its format. */
export const PRINT_NAMES = ['symmetry', 'tolerance', 'ordered', 'maxAtoms', 'seed'] as const
type PrintName = (typeof PRINT_NAMES)[number]

export const WRITTEN_SYMMETRY_TEXT =
  'Of a CIF. standard, where nothing is said: the standard cell, with the operators of its space group; none: all atoms of the cell in P 1.'

/** Descriptions of the options of an ordered approximant, by name. */
export const ORDERED_TEXTS = {
  ordered:
    'Of a disordered crystal, in formats of whole atoms too: majority, the most frequent species of each site; supercell, shares as counts in a larger cell, by chance. The title of the file says so.',
  maxAtoms: 'Most atoms of the supercell; 200 where nothing is said.',
  seed: 'Another seed gives another supercell, the same seed the same; 0 where nothing is said.',
} as const

const { usualAtoms, mostAtoms, usualSeed, mostSeed } = ORDERED_LIMITS

type Refuse = (name: PrintName, expected: string) => Error

/** Reads how a file is to be written from the parameters of an address. */
export function printParameters(parameters: Parameters, format: StructureFormat): PrintTerms {
  const tolerance = toleranceParameter(parameters)
  const terms = readTerms(
    (name) => parameters.get(name),
    (name, expected) => invalidParameter(name, parameters.get(name) ?? '', expected),
    format,
  )
  return { ...terms, tolerance }
}

/** Reads the same from the fields of a body. */
export function printFields(fields: Readonly<Partial<Record<PrintName, Json>>>, format: StructureFormat): PrintTerms {
  const tolerance = toleranceField(fields.tolerance)
  return { ...readTerms((name) => fields[name] ?? undefined, invalidField, format), tolerance }
}

function readTerms(
  value: (name: PrintName) => Json | undefined,
  refuse: Refuse,
  { name: format, hasSymmetry }: StructureFormat,
): PrintTerms {
  const ordered = readOrdered(value, refuse)
  const given = value('symmetry')
  if (given === undefined) return { format, ordered }
  const symmetry = WRITTEN_SYMMETRIES.find((known) => known === given)
  if (symmetry === undefined) throw refuse('symmetry', `one of ${WRITTEN_SYMMETRIES.join(', ')}`)
  // All atoms of the cell are what every other format lists.
  if (symmetry === 'standard' && hasSymmetry === undefined)
    throw refuse('symmetry', `none: only ${formatNames((known) => known.hasSymmetry === true)} files can say symmetry`)
  return { format, symmetry, ordered }
}

function readOrdered(value: (name: PrintName) => Json | undefined, refuse: Refuse): PrintTerms['ordered'] {
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
