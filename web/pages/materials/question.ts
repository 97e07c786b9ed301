import type { Question } from '../../api/use-answer.ts'
import { type Condition, conditionsOf, isObject, type JsonObject, queryOf } from '../../query/conditions.ts'
import { readRelaxed } from '../../query/relaxed-json.ts'
import { type Asked, sortOf } from './asked.ts'
import { type Collection, type Column, columnAt } from './collections.ts'

/** All that is asked, as JSON, empty where it is nothing; what is wrong with a text that is none, the server says best. */
export function queryText(asked: Asked): string {
  const query = readQuery(asked)
  if (query !== null && asked.line.length > 0) return JSON.stringify(query)
  if (asked.query.trim() === '') return ''
  // Digit by digit, as it was given.
  const read = readRelaxed(asked.query)
  return 'json' in read ? read.json : asked.query
}

/** All that is asked, as it is understood here; null where it is no query. */
export function readQuery({ line, query }: Asked): JsonObject | null {
  const filters = readFilters(query)
  if (filters === null || line.length === 0) return filters
  return queryOf([...line, ...conditionsOf(filters)])
}

/** What is asked beside the search line; null where it is no query. */
export function readFilters(text: string): JsonObject | null {
  if (text.trim() === '') return {}
  const read = readRelaxed(text)
  if ('fault' in read) return null
  const query: unknown = JSON.parse(read.json)
  return isObject(query) ? query : null
}

/** What a query of these conditions is in the address: nothing where there is none. */
export function textOf(conditions: readonly Condition[]): string {
  return conditions.length === 0 ? '' : JSON.stringify(queryOf(conditions))
}

/** One page of records. */
export function listQuestion(collection: Collection, asked: Asked): Question {
  const { limit, skip, after } = asked
  const shown = columnsOf(collection, asked).flatMap(({ path, fields }) => fields ?? path)
  // Of each version of a crystal there is one picture.
  const paths = collection.hasCrystals ? [...shown, 'updatedAt'] : shown
  const fields = Object.fromEntries(withoutInner([...new Set(paths)]).map((path) => [path, 1]))
  const projection = JSON.stringify({ fields, ...(after === '' ? {} : { after }) })
  const given = {
    query: queryText(asked),
    projection,
    sort: sortOf(asked),
    limit,
    skip: after === '' ? skip : '',
    count: 'true',
  }
  const search = Object.fromEntries(Object.entries(given).filter(([, value]) => value !== ''))
  return { method: 'GET', path: `/${collection.name}`, search }
}

/** A field and one within it cannot both be asked for. */
function withoutInner(paths: readonly string[]): readonly string[] {
  return paths.filter((path) => !paths.some((other) => path.startsWith(`${other}.`)))
}

/** The columns that are shown, the name first. Who has chosen none sees the numbers that are asked for, too. */
export function columnsOf(collection: Collection, asked: Asked): readonly Column[] {
  const { columns } = asked
  if (columns === '') {
    const usual = collection.columns.map(({ path }) => path)
    const numbers = [...new Set(rangesOf(asked))].filter((path) => !usual.includes(path))
    // Beside what a record is: a narrow window leaves out what stands at the end.
    return [
      ...collection.columns.slice(0, 2),
      ...numbers.map((path) => columnAt(collection, path)),
      ...collection.columns.slice(2),
    ]
  }
  const chosen = columns.split(',').filter((path) => path !== '' && path !== 'name')
  return ['name', ...new Set(chosen)].map((path) => columnAt(collection, path))
}

/** Fields of which a range is asked. */
function rangesOf({ line, query }: Asked): readonly string[] {
  const all = [...line, ...conditionsOf(readFilters(query) ?? {})]
  return all.flatMap((condition) => (condition.kind === 'range' ? condition.path : []))
}

/** The conditions of a query, with one in the place of those that are of the same thing; null takes them away. */
export function withCondition(
  conditions: readonly Condition[],
  isSame: (condition: Condition) => boolean,
  condition: Condition | null,
): readonly Condition[] {
  const others = conditions.filter((one) => !isSame(one))
  return condition === null ? others : [...others, condition]
}

/** Whether a condition is on the values or the range of a field. */
export function isOn(path: string): (condition: Condition) => boolean {
  return (condition) => (condition.kind === 'values' || condition.kind === 'range') && condition.path === path
}

/** All that is asked but for what filters ask of a field: what there would be to choose from. */
export function queryWithout(line: readonly Condition[], filters: readonly Condition[], path: string): JsonObject {
  return queryOf([...line, ...filters.filter((condition) => !isOn(path)(condition))])
}
