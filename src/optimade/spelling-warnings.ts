import { materialKind } from '../records/kinds/material/material-kind.ts'
import { guideOf } from '../records/warnings/field-guide.ts'
import type { Comparison, Constant, Expression } from './token.ts'

/** The properties whose values are written in one way, with the field of materials that tells how. */
const SPELLED: ReadonlyMap<string, string> = new Map([
  ['elements', 'elements'],
  ['chemical_formula_reduced', 'formulaReduced'],
  ['chemical_formula_descriptive', 'formula'],
  ['chemical_formula_anonymous', 'formulaAnonymous'],
  ['_quarry_unit_cell_formula', 'unitCellFormula'],
  ['_quarry_chemical_system', 'chemicalSystem'],
  ['_quarry_lattice_type', 'lattice.type'],
  ['_quarry_space_group_symbol', 'spaceGroup.symbol'],
  ['_quarry_crystal_system', 'spaceGroup.crystalSystem'],
  ['_quarry_point_group', 'spaceGroup.pointGroup'],
])

/** More of them are read by nobody. */
const MOST_WARNINGS = 20
/** Longer texts are not spelled wrong but something else. */
const LONGEST_TEXT = 200

/** Says which texts of a filter are not written as those of structures are, so that they equal none. */
export function spellingWarnings(expression: Expression): readonly string[] {
  const warnings = new Set<string>()
  for (const { property, constant } of comparedConstants(expression)) {
    const warning = warningOf(property, constant)
    if (warning !== null) warnings.add(warning)
    if (warnings.size >= MOST_WARNINGS) break
  }
  return [...warnings]
}

interface Compared {
  readonly property: string
  readonly constant: Constant
}

function* comparedConstants(expression: Expression): Generator<Compared> {
  switch (expression.kind) {
    case 'and':
    case 'or':
      for (const clause of expression.clauses) yield* comparedConstants(clause)
      return
    case 'not':
      yield* comparedConstants(expression.clause)
      return
    case 'compare':
    case 'has':
      yield* testsOf(expression)
      return
    case 'text':
    case 'length':
    case 'known':
      return
  }
}

/** Constants of `=` and `!=`; the order of texts asks for none in particular. */
function* testsOf(comparison: Extract<Comparison, { kind: 'compare' | 'has' }>): Generator<Compared> {
  const tests = comparison.kind === 'compare' ? [comparison] : comparison.tests
  for (const { sign, constant } of tests) {
    if (sign === '=' || sign === '!=') yield { property: comparison.property.text, constant }
  }
}

function warningOf(property: string, constant: Constant): string | null {
  const path = SPELLED.get(property)
  if (path === undefined || constant.kind !== 'text' || constant.value.length > LONGEST_TEXT) return null
  const spelling = guideOf(materialKind).spelling(path, constant.value)
  if (spelling === null) return null
  const hint = spelling.right === null ? '' : ` Write ${property} as ${JSON.stringify(spelling.right)}.`
  return `${constant.text} at column ${constant.column} ${spelling.fault}: no structure has it as ${property}.${hint}`
}
