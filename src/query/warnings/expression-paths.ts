import { isJsonArray, isJsonObject, type Json } from '../../kernel/json.ts'

/** The field paths that an expression names as `"$a.b"`, each once. */
export function expressionPaths(source: Json): ReadonlySet<string> {
  const paths = new Set<string>()
  collect(source, paths)
  return paths
}

function collect(source: Json, paths: Set<string>): void {
  if (typeof source === 'string') {
    if (source.startsWith('$') && !source.startsWith('$$')) paths.add(source.slice(1))
  } else if (isJsonArray(source)) {
    for (const item of source) collect(item, paths)
  } else if (isJsonObject(source)) {
    for (const [key, value] of Object.entries(source)) if (key !== '$literal') collect(value, paths)
  }
}

/** The operators that compare two values. */
const COMPARISONS = ['$eq', '$ne', '$gt', '$gte', '$lt', '$lte', '$cmp']

/** The texts that an expression compares with nothing but constants: `{"$gt":["nSites",2]}` asks nothing of a document. */
export function comparedConstants(source: Json): readonly string[] {
  if (isJsonArray(source)) return source.flatMap(comparedConstants)
  if (!isJsonObject(source)) return []
  return Object.entries(source).flatMap(([key, value]) => {
    if (key === '$literal') return []
    const isConstant = COMPARISONS.includes(key) && isJsonArray(value) && value.every(isConstantValue)
    return isConstant ? value.filter((one) => typeof one === 'string') : comparedConstants(value)
  })
}

function isConstantValue(value: Json): boolean {
  return typeof value === 'string' ? !value.startsWith('$') : !isJsonObject(value) && !isJsonArray(value)
}
