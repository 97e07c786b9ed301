import type { FilterNode, PredicateNode } from './filter.ts'

const known = new WeakMap<FilterNode, string>()

/** Text of all that decides what a filter matches: two filters that have the same one match the same. Made once for each node. */
export function filterText(filter: FilterNode): string {
  let text = known.get(filter)
  if (text === undefined) {
    text = textOfFilter(filter)
    known.set(filter, text)
  }
  return text
}

function textOfFilter(filter: FilterNode): string {
  if (filter.kind === 'field') return `${JSON.stringify(filter.path.text)}${textOfPredicate(filter.predicate)}`
  if (filter.kind === 'expr') return `$expr${textOfValue(filter.expression)}`
  return `${filter.kind}(${filter.clauses.map(textOfFilter).join()})`
}

function textOfPredicate(predicate: PredicateNode): string {
  if ('predicates' in predicate) return `${predicate.operator}(${predicate.predicates.map(textOfPredicate).join()})`
  if ('filter' in predicate) return `${predicate.operator}${textOfFilter(predicate.filter)}`
  return textOfValue(predicate)
}

/** Values that JSON does not have are told apart too: long integers, infinite numbers, instants, what is left out. */
function textOfValue(value: unknown): string {
  if (typeof value === 'string') return JSON.stringify(value)
  if (typeof value === 'bigint') return `${value}n`
  if (typeof value !== 'object' || value === null) return Object.is(value, -0) ? '-0' : String(value)
  if (value instanceof Date) return `date(${value.getTime()})`
  if (Array.isArray(value)) return `[${value.map(textOfValue).join()}]`
  let text = '{'
  for (const name of Object.keys(value)) text += `${JSON.stringify(name)}:${textOfValue(Reflect.get(value, name))},`
  return `${text}}`
}
