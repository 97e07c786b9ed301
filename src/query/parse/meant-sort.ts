/** A key of a sort that was probably meant. */
type MeantKey = readonly [path: string, direction: 1 | -1]

const DIRECTIONS: ReadonlyMap<string, 1 | -1> = new Map([
  ['1', 1],
  ['+1', 1],
  ['asc', 1],
  ['ascending', 1],
  ['-1', -1],
  ['desc', -1],
  ['descending', -1],
])

/** Longer than what anybody writes by hand. */
const LONGEST = 200

/**
 * Finds what somebody probably meant who wrote a sort as other systems take it: `name,desc`, `name desc`, `name:desc`, `+name`,
 * `{name:1}`, `-name,formula`; null where nothing can be made of it.
 */
export function meantSort(text: string): readonly MeantKey[] | null {
  if (text.length > LONGEST) return null
  const keys: MeantKey[] = []
  for (const item of text.replaceAll(/[{}[\]"']/g, '').split(',')) {
    const [word = '', second, ...others] = item.trim().split(/[\s:=]+/)
    const direction = DIRECTIONS.get((second ?? 'asc').toLowerCase())
    const alone = second === undefined ? DIRECTIONS.get(word.toLowerCase()) : undefined
    const last = keys.at(-1)
    if (alone !== undefined && last !== undefined) keys[keys.length - 1] = [last[0], alone]
    else if (direction === undefined || others.length > 0 || !/^[+-]?[^+-]/.test(word)) return null
    else keys.push(word.startsWith('-') ? [word.slice(1), -1] : [word.replace(/^\+/, ''), direction])
  }
  return keys.length === 0 ? null : keys
}

/** Writes a sort as the object that a projection takes. */
export function printSort(keys: readonly MeantKey[]): string {
  return `{${keys.map(([path, direction]) => `${JSON.stringify(path)}:${direction}`).join(',')}}`
}
