/** A place at which two versions of a record differ; undefined where one has nothing. */
export interface Difference {
  readonly path: string
  readonly before: unknown
  readonly after: unknown
}

/** Fields of every record that change with every version. */
const OF_EVERY_VERSION: ReadonlySet<string> = new Set(['updatedAt'])

/** Finds where two versions differ, down to the values; lists of other lengths are told as wholes. */
export function differencesOf(before: unknown, after: unknown, path = ''): readonly Difference[] {
  if (JSON.stringify(before) === JSON.stringify(after)) return []
  if (!isComparable(before) || !isComparable(after) || !areAlike(before, after)) return [{ path, before, after }]
  const keys = [...new Set([...Object.keys(before), ...Object.keys(after)])]
  return keys
    .filter((key) => path !== '' || !OF_EVERY_VERSION.has(key))
    .flatMap((key) => {
      const [one, other] = [before, after].map((side) =>
        Object.hasOwn(side, key) ? side[key as keyof typeof side] : undefined,
      )
      return differencesOf(one, other, path === '' ? key : `${path}.${key}`)
    })
}

function isComparable(value: unknown): value is object {
  return typeof value === 'object' && value !== null
}

function areAlike(one: object, other: object): boolean {
  if (!Array.isArray(one) && !Array.isArray(other)) return true
  return Array.isArray(one) && Array.isArray(other) && one.length === other.length
}
