const END = '<!-- up to here -->'

/** Puts what follows from the code into a page, where it stands between two comments: one that says so, and the end. */
export function withPart(text: string, begin: string, part: string): string {
  const from = text.indexOf(begin)
  const to = text.indexOf(END, from)
  if (from < 0 || to < 0) throw new Error(`The page needs a line ${begin} and after it a line ${END}.`)
  return `${text.slice(0, from)}${begin}\n\n${part}\n\n${text.slice(to)}`
}
