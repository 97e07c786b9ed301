/** Something that a run counts, and how much of it there has to be for the run to say anything. */
export interface Measured {
  readonly what: string
  readonly count: number
  readonly least: number
}

export interface Verdict {
  readonly exitCode: 0 | 1
  /** A line for each thing of which too little was measured. */
  readonly lines: readonly string[]
}

/** Judges a run at its end: one that has measured nothing, or less than it was asked for, has not passed, whatever it found. */
export function verdictOf(isFine: boolean, measured: readonly Measured[]): Verdict {
  const lines = measured
    // What is no number is too little, too.
    .filter(({ count, least }) => !(count > 0 && count >= least))
    .map(({ what, count, least }) => `NOT MEASURED: ${count} of at least ${Math.max(1, least)} ${what}`)
  const isEnough = measured.length > 0 && lines.length === 0
  return { exitCode: isFine && isEnough ? 0 : 1, lines }
}

/** Says what was measured too little of, and gives the code that the process ends with. */
export function conclude(isFine: boolean, measured: readonly Measured[]): 0 | 1 {
  const { exitCode, lines } = verdictOf(isFine, measured)
  for (const line of lines) process.stderr.write(`${line}\n`)
  return exitCode
}

/** The whole number that an option asks for: without it, a loop would never begin and nothing be wrong. */
export function wholeNumber(option: string, text: string, least = 1): number {
  const value = Number(text)
  if (text.trim() === '' || !Number.isSafeInteger(value) || value < least)
    throw new Error(`--${option} ${text}: a whole number from ${least} is wanted`)
  return value
}
