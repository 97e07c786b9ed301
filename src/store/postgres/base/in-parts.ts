/** Cuts a list into parts of at most so many. */
export function inParts<T>(list: readonly T[], most: number): readonly (readonly T[])[] {
  const parts: T[][] = []
  for (let at = 0; at < list.length; at += most) parts.push(list.slice(at, at + most))
  return parts
}
