import type { FilterNode } from '../../query/ast/filter.ts'
import { alphabeticalReducedFormula } from '../../structure/chemistry/formula-forms.ts'
import { parseFormula } from '../../structure/chemistry/parse-formula.ts'
import { type ElementCounts, inFormulaOrder, reducedFormula } from '../../structure/formula.ts'
import type { Constant } from '../filter/token.ts'
import { EVERYTHING, field, NOTHING } from './filters.ts'
import type { Queryable } from './queryable.ts'
import { readConstant } from './read-constant.ts'

/** `O2Si`: elements by symbol with whole numbers other than 1, as the specification writes reduced formulas. */
const FORM = /^(?:[A-Z][a-z]?(?:[2-9]|[1-9]\d{1,5})?)+$/

/**
 * The reduced formula in the order of OPTIMADE. Records keep theirs in the order of electronegativity (`SiO2`): a formula that is
 * asked for is put into that order. Only equality survives this, so nothing else is offered.
 */
export function reducedFormulaField(path: string): Queryable {
  return { known: EVERYTHING, equalityOnly: true, compare: (_sign, constant) => equalsFormula(path, constant) }
}

function equalsFormula(path: string, constant: Constant): FilterNode {
  const text = String(readConstant(constant, 'string'))
  const counts = readReduced(text)
  return counts === null ? NOTHING : field(path, { operator: '$eq', value: reducedFormula(counts) })
}

/** The elements of a formula in the one form that a structure's can have; null for any other text, which equals none. */
function readReduced(text: string): ElementCounts | null {
  if (!FORM.test(text)) return null
  const counts = countsOf(text)
  return counts !== null && alphabeticalReducedFormula(counts) === text ? inFormulaOrder(counts) : null
}

function countsOf(text: string): ElementCounts | null {
  try {
    return parseFormula(text)
  } catch {
    // A symbol of no element.
    return null
  }
}
