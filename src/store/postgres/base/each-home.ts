/**
 * Asks each of some homes by itself, the statements behind each other. A statement that named several would fail as a whole where homes are spread
 * over machines and one of these is gone, and would be planned for all of them.
 */
export async function ofEachHome<Row>(
  homes: readonly string[],
  ask: (home: string) => PromiseLike<readonly Row[]>,
): Promise<readonly Row[]> {
  return (await Promise.all(homes.map(ask))).flat()
}
