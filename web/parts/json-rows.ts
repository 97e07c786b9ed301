/** The steps from a JSON value to one within it. */
export type Path = readonly (string | number)[]

/** A line of the tree: a value with its name, or a range of the elements of a long array. */
export interface Row {
  readonly id: string
  readonly path: Path
  readonly value: unknown
  /** The elements or fields that it stands for, the last one excluded; null where it is one value. */
  readonly range: readonly [start: number, end: number] | null
  /** Counted from 1. */
  readonly level: number
  /** Among its siblings, counted from 1. */
  readonly position: number
  readonly siblings: number
  readonly isOpen: boolean
  readonly canOpen: boolean
}

/** How many rows a value or a range has below it at the most. */
const MOST_CHILDREN = 100

/** The rows that are seen when those named by `open` are open. The value itself has none. */
export function rowsOf(value: unknown, open: ReadonlySet<string>): readonly Row[] {
  const rows: Row[] = []
  addRows(rows, childrenOf(value, [], null), 1, open)
  return rows
}

function addRows(rows: Row[], children: readonly Child[], level: number, open: ReadonlySet<string>): void {
  for (const [index, { path, value, range }] of children.entries()) {
    const id = idOf(path, range)
    const canOpen = sizeOf(value) > 0
    const isOpen = canOpen && open.has(id)
    rows.push({ id, path, value, range, level, position: index + 1, siblings: children.length, isOpen, canOpen })
    if (isOpen) addRows(rows, childrenOf(value, path, range), level + 1, open)
  }
}

interface Child {
  readonly path: Path
  readonly value: unknown
  readonly range: Row['range']
}

/** The values within one, or ranges of them where they are many. */
function childrenOf(value: unknown, path: Path, range: Row['range']): readonly Child[] {
  const [start, end] = range ?? [0, sizeOf(value)]
  const step = stepOf(end - start)
  if (step > 1) return rangesIn(start, end, step).map((part) => ({ path, value, range: part }))
  if (Array.isArray(value))
    return value.slice(start, end).map((item, index) => ({ path: [...path, start + index], value: item, range: null }))
  return Object.entries(value as object)
    .slice(start, end)
    .map(([key, item]) => ({ path: [...path, key], value: item, range: null }))
}

/** How many values a row stands for, so that there are not too many rows. */
function stepOf(count: number): number {
  let step = 1
  while (count / step > MOST_CHILDREN) step *= MOST_CHILDREN
  return step
}

function rangesIn(start: number, end: number, step: number): readonly (readonly [number, number])[] {
  return Array.from({ length: Math.ceil((end - start) / step) }, (_, index) => {
    const from = start + index * step
    return [from, Math.min(from + step, end)]
  })
}

/** How many values are in one; 0 for what is no array and no object. */
export function sizeOf(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 0
  return Array.isArray(value) ? value.length : Object.keys(value).length
}

/** What names a row among all rows of a tree. */
export function idOf(path: Path, range: Row['range'] = null): string {
  const steps = JSON.stringify(path)
  return range === null ? steps : `${steps} ${range[0]}-${range[1]}`
}

/** The rows that have to be open for a value to be seen. */
export function idsAbove(root: unknown, path: Path): readonly string[] {
  const ids: string[] = []
  let value = root
  for (const [depth, step] of path.entries()) {
    const above = path.slice(0, depth)
    if (depth > 0) ids.push(idOf(above))
    const index = Array.isArray(value) ? Number(step) : Object.keys(value as object).indexOf(String(step))
    for (const range of rangesAround(index, sizeOf(value))) ids.push(idOf(above, range))
    value = (value as Record<string | number, unknown>)[step]
  }
  return ids
}

function rangesAround(index: number, size: number): readonly (readonly [number, number])[] {
  const found: (readonly [number, number])[] = []
  let [start, end] = [0, size]
  for (let step = stepOf(end - start); step > 1; step = stepOf(end - start)) {
    start += Math.floor((index - start) / step) * step
    end = Math.min(start + step, end)
    found.push([start, end])
  }
  return found
}

/** A path as queries write it: `basis.elements.0.value`. */
export function dottedPath(path: Path): string {
  return path.join('.')
}

/** The places where a name or a value has a text in it, in their order, `most` of them. Letters are the same in both cases. */
export function findInJson(root: unknown, text: string, most: number): readonly Path[] {
  const sought = text.toLowerCase()
  const found: Path[] = []
  const has = (words: string) => words.toLowerCase().includes(sought)

  function look(value: unknown, path: Path): void {
    if (found.length >= most) return
    const name = path.at(-1)
    const isNamed = typeof name === 'string' && has(name)
    if (typeof value !== 'object' || value === null) {
      if (isNamed || has(String(value))) found.push(path)
      return
    }
    if (isNamed) found.push(path)
    for (const [key, item] of Array.isArray(value) ? value.entries() : Object.entries(value)) look(item, [...path, key])
  }

  if (sought !== '') look(root, [])
  return found
}

/** The beginning of a value on one line, for a row that is closed; read no further than it is long. */
export function preview(value: unknown, width: number): string {
  if (typeof value === 'string') return JSON.stringify(value.length > width ? `${value.slice(0, width)}…` : value)
  if (typeof value !== 'object' || value === null) return String(value)
  const [open, close] = Array.isArray(value) ? '[]' : '{}'
  let text = ''
  for (const key in value) {
    const name = Array.isArray(value) ? '' : `${key}: `
    const item = (value as Record<string, unknown>)[key]
    text += `${text === '' ? '' : ', '}${name}${preview(item, Math.max(width - text.length, 8))}`
    if (text.length > width) return `${open}${text.slice(0, width)}…${close}`
  }
  return `${open}${text}${close}`
}
