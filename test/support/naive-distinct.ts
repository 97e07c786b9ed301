import { isJsonArray, isJsonObject, type Json, type JsonObject } from '../../src/kernel/json.ts'
import { compareBson } from '../../src/query/values/compare-bson.ts'

/** The different values that documents have at a path and how many have each, by MongoDB's rules for `distinct`: one document after the other. */
export function naiveDistinct(documents: readonly JsonObject[], path: string): readonly (readonly [Json, number])[] {
  const counts = new Map<string, number>()
  for (const document of documents) {
    // Of numbers that are equal, JSON has one text; fields in another order make another object.
    const texts = new Set(valuesAlong(document, path.split('.')).map((value) => JSON.stringify(value)))
    for (const text of texts) counts.set(text, (counts.get(text) ?? 0) + 1)
  }
  const values = Array.from(counts, ([text, count]) => [JSON.parse(text) as Json, count] as const)
  return values.sort(([one], [other]) => compareBson(one, other))
}

function valuesAlong(container: Json, [name = '', ...rest]: readonly string[]): readonly Json[] {
  const entry = Object.entries(container ?? {}).find(([key]) => key === name)
  if (entry === undefined) return []
  const [, value] = entry
  if (rest.length === 0) return isJsonArray(value) ? value : [value]
  if (isJsonObject(value)) return valuesAlong(value, rest)
  if (!isJsonArray(value)) return []
  const isIndex = /^(?:0|[1-9]\d*)$/.test(rest[0] ?? '')
  return isIndex
    ? valuesAlong(value, rest)
    : value.filter(isJsonObject).flatMap((element) => valuesAlong(element, rest))
}
