/** Field names that need no care within a JSON path. */
const PLAIN_NAME = /^[A-Za-z_][\w-]*$/

/** Tells whether SQLite finds a field of this name by `pathOf`. */
export function isPlainName(name: string): boolean {
  return PLAIN_NAME.test(name)
}

/** The JSON path of SQLite to a field, through objects only. */
export function pathOf(names: readonly string[]): string {
  return `$${names.map((name) => `."${name}"`).join('')}`
}
