/**
 * The one form in which names and e-mail addresses are compared, wherever that is done: without regard to case, to how accents are
 * composed, to width and other variants that look different and are the same letters (NFKC), or to space around. Names that
 * an account would be found by must count as one, or whoever guesses has as many tries as a name has spellings.
 */
export function nameKey(name: string): string {
  // Lower case can undo the composition: J with a caron has no letter of its own, j with a caron has.
  return name.normalize('NFKC').toLowerCase().normalize('NFKC').trim()
}
