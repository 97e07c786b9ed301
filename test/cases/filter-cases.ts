import { arrayCases } from './arrays.cases.ts'
import { bitsAndModCases } from './bits-and-mod.cases.ts'
import type { FilterCase } from './case.ts'
import { comparisonCases } from './comparison.cases.ts'
import { extendedJsonCases } from './extended-json.cases.ts'
import { logicalCases } from './logical.cases.ts'
import { nullAndMissingCases } from './null-and-missing.cases.ts'
import { pathCases } from './paths.cases.ts'
import { regexCases } from './regex.cases.ts'
import { typeCases } from './types.cases.ts'

/** Every filter case by its group; whatever answers filters answers all of them. */
export const FILTER_CASES: Readonly<Record<string, readonly FilterCase[]>> = {
  comparison: comparisonCases,
  'null and missing': nullAndMissingCases,
  arrays: arrayCases,
  paths: pathCases,
  'regular expressions': regexCases,
  types: typeCases,
  'bits and remainders': bitsAndModCases,
  logical: logicalCases,
  'extended JSON': extendedJsonCases,
}
