/** Asks each home by itself: a statement that named several would fail whole where one is on a lost machine, and be planned for all. */
export async function ofEachHome<Row>(
  homes: readonly string[],
  ask: (home: string) => PromiseLike<readonly Row[]>,
): Promise<readonly Row[]> {
  return (await Promise.all(homes.map(ask))).flat()
}

/** Some homes, as statements that are sent all the time name them: together on one machine, where one is half the work of two; else each by itself. */
export function homesTogether(homes: readonly string[], areSpread: boolean): readonly string[][] {
  return areSpread ? homes.map((home) => [home]) : [[...homes]]
}

/** Asks some homes what is asked all the time. */
export async function ofHomes<Row>(
  homes: readonly string[],
  areSpread: boolean,
  ask: (together: string[]) => PromiseLike<readonly Row[]>,
): Promise<readonly Row[]> {
  return (await Promise.all(homesTogether(homes, areSpread).map(ask))).flat()
}

/** Cuts a list into parts of at most so many. */
export function inParts<T>(list: readonly T[], most: number): readonly (readonly T[])[] {
  const parts: T[][] = []
  for (let at = 0; at < list.length; at += most) parts.push(list.slice(at, at + most))
  return parts
}
