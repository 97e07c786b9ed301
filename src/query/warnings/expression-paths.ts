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
