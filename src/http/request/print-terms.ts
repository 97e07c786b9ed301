import type { Json } from '../../kernel/json.ts'
import { type PrintTerms, WRITTEN_SYMMETRIES } from '../../records/kinds/material/print-material.ts'
import type { StructureFormat } from '../../structure/formats/common/format.ts'
import { formatNames } from '../../structure/formats/registry.ts'
import { invalidField } from './body.ts'
import { invalidParameter, type Parameters } from './parameters.ts'
import { toleranceField, toleranceParameter } from './structure-terms.ts'

/** What a client may say about a written file beside its format. */
export const PRINT_NAMES = ['symmetry', 'tolerance'] as const
type PrintName = (typeof PRINT_NAMES)[number]

export const WRITTEN_SYMMETRY_TEXT =
  'Of a CIF. standard, where nothing is said: the standard cell, with the operators of its space group; none: all atoms of the cell in P 1.'

/** Makes the refusal of a value. */
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
  const given = value('symmetry')
  if (given === undefined) return { format }
  const symmetry = WRITTEN_SYMMETRIES.find((known) => known === given)
  if (symmetry === undefined) throw refuse('symmetry', `one of ${WRITTEN_SYMMETRIES.join(', ')}`)
  // All atoms of the cell are what every other format lists.
  if (symmetry === 'standard' && hasSymmetry === undefined)
    throw refuse('symmetry', `none: only ${formatNames((known) => known.hasSymmetry === true)} files can say symmetry`)
  return { format, symmetry }
}
