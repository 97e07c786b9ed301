import type { LineBlock } from './line-block.ts'

/** What a line is: the first of a block, used up with itself, or no line that the rule is for. */
export type LineUse = LineBlock | 'used' | 'other'

/** Words that a line has, and what is done with it. */
export type Rule = readonly [words: string, take: (line: string) => LineUse]
