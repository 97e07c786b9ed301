import { nearestName } from '../kernel/names.ts'
import type { Warning } from '../kernel/warnings.ts'
import type { FilterNode } from '../query/ast/filter.ts'
import { clip } from '../query/context.ts'
import { QUERY_WARNINGS } from '../query/warnings/warnings.ts'
import { materialKind } from '../records/kinds/material/material-kind.ts'
import { guideOf } from '../records/warnings/field-guide.ts'
import type { FixedValues } from './queryable.ts'
import type { Comparison } from './token.ts'

/** Names the place of a comparison; the same place is in the filter that is made of it, and in its warnings. */
export function placeOf({ property: { text, column } }: Comparison): string {
  return `${text} (column ${column})`
}

/** The property and the field of records of each place in a filter. */
export type FilterPlaces = ReadonlyMap<string, { readonly property: string; readonly path: string }>

/** Gives conditions that the compiler made a place, where they are on one field; tells which. */
export function placedAt(
  place: string,
  filter: FilterNode,
): { readonly filter: FilterNode; readonly path: string | null } {
  const paths = new Set(pathsOf(filter))
  const [path] = paths
  return path === undefined || paths.size > 1 ? { filter, path: null } : { filter: withPlace(filter, place), path }
}

function* pathsOf(filter: FilterNode): Generator<string> {
  if (filter.kind === 'field') yield filter.path.text
  else if (filter.kind !== 'expr') for (const clause of filter.clauses) yield* pathsOf(clause)
}

function withPlace(filter: FilterNode, place: string): FilterNode {
  if (filter.kind === 'field') return { ...filter, place, written: null }
  if (filter.kind === 'expr') return filter
  return { ...filter, clauses: filter.clauses.map((clause) => withPlace(clause, place)) }
}

/** Alternatives in the words of filters, where those of queries have no meaning. */
const HINTS: ReadonlyMap<number, string> = new Map([
  [QUERY_WARNINGS.exactNumber.code, 'Ask for a range with >= and <.'],
  [QUERY_WARNINGS.patternAsText.code, 'Ask with CONTAINS, STARTS WITH or ENDS WITH.'],
  [QUERY_WARNINGS.looseOperand.code, 'Write the condition itself into the filter.'],
])

/** Says a warning about the query that a filter was made into in the words of the filter. */
export function inWordsOfFilters(places: FilterPlaces, { code, path: at, message, hint }: Warning): string {
  const [place = ''] = at.split('.$', 1)
  const asked = places.get(place)
  if (asked === undefined) return message
  if (code === QUERY_WARNINGS.unknownField.code) return `No structure has a value of ${place}.`
  const isMeant = hint !== undefined && message.endsWith(hint)
  const said = (isMeant ? message.slice(0, -hint.length) : message).replaceAll(`"${asked.path}"`, asked.property)
  return `${said.trim()} ${HINTS.get(code) ?? hint ?? ''}`.trim()
}

/** Longer texts are not spelled wrong but something else. */
const LONGEST_TEXT = 200
/** So many values are told, where none is near. */
const MOST_VALUES = 8

/** Says which values of a comparison the property can never have. */
export function impossibleValues(comparison: Comparison, values: FixedValues): readonly string[] {
  const { all } = values
  return testedConstants(comparison).flatMap(({ kind, text, column, ...constant }) => {
    if (!('value' in constant) || all.includes(constant.value)) return []
    const near = kind === 'text' && text.length <= LONGEST_TEXT ? nearestValue(String(constant.value), values) : null
    const choice = all.length > MOST_VALUES ? '' : ` It can be ${all.map((value) => JSON.stringify(value)).join(', ')}.`
    const hint = near === null ? choice : ` Write ${JSON.stringify(near)}.`
    return [`No structure has ${clip(text, 80)}, at column ${column}, as ${comparison.property.text}.${hint}`]
  })
}

/** Constants of `=` and `!=`; the order of texts asks for none in particular. */
function testedConstants(comparison: Comparison) {
  if (comparison.kind !== 'compare' && comparison.kind !== 'has') return []
  const tests =
    comparison.kind === 'compare' ? [{ operator: comparison.sign, constant: comparison.constant }] : comparison.tests
  return tests.filter(({ operator }) => operator === '=' || operator === '!=').map(({ constant }) => constant)
}

/** The value that is written with other spaces, as records write it, or nearly like the text. */
function nearestValue(text: string, { all, field }: FixedValues): string | null {
  const values = all.filter((value) => typeof value === 'string')
  const asRecords = field === undefined ? null : (guideOf(materialKind).spelling(field, text)?.right ?? null)
  const wanted = [text, ...(asRecords === null ? [] : [asRecords])].map(squeezed)
  return values.find((value) => wanted.includes(squeezed(value))) ?? nearestName(text, values)
}

function squeezed(text: string): string {
  return text.replaceAll(/[\s_]/g, '').toLowerCase()
}
