const CANONICAL_INDEX = /^(?:0|[1-9][0-9]{0,8})$/

/** Reads a path component as an array index; -1 when it is none. `00` and `-1` are only names. */
export function arrayIndexOf(component: string): number {
  return CANONICAL_INDEX.test(component) ? Number(component) : -1
}
