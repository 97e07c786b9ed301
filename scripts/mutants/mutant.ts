/** A mistake that someone could make, and the tests of which one has to fail when it is made. */
export interface Mutant {
  /** What the mistaken code does: a sentence in the present. */
  readonly name: string
  /** From the root of the project, as are the tests. */
  readonly file: string
  /** Text that the file has exactly once. */
  readonly find: string
  readonly replace: string
  /** The nearest test files, the likeliest first. */
  readonly tests: readonly string[]
  /** Of long test files, only the tests whose full names match this. */
  readonly named?: string
  /** Where test files are run on every store: the one on which they are, a project of `vitest.config.ts`. */
  readonly project?: string
}

/** The file with the mistake in it; null where the text is not there once: then the mutant is stale. */
export function mutate(text: string, { find, replace }: Mutant): string | null {
  const at = text.indexOf(find)
  if (at < 0 || text.indexOf(find, at + 1) >= 0 || find === replace) return null
  return text.slice(0, at) + replace + text.slice(at + find.length)
}
