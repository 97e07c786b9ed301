/** A section of a guide, as the build lists it. */
export interface GuideSection {
  /** Where it is shown, from the root of the server. */
  readonly path: string
  readonly guide: string
  /** Empty for what stands before the first heading of a guide. */
  readonly heading: string
  /** Every word of it, once. */
  readonly words: string
}

const MOST_SHOWN = 6

/** The sections that have all words: first those whose heading has them. */
export function sectionsWith(sections: readonly GuideSection[], asked: readonly string[]): readonly GuideSection[] {
  const sought = asked.map((word) => word.toLowerCase())
  const has = (text: string) => sought.every((word) => text.toLowerCase().includes(word))
  const found = sections.filter(({ guide, heading, words }) => has(`${guide} ${heading} ${words}`))
  const inHeading = ({ guide, heading }: GuideSection) => has(`${guide} ${heading}`)
  return [...found.filter(inHeading), ...found.filter((one) => !inHeading(one))].slice(0, MOST_SHOWN)
}
