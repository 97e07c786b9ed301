/** Says what is wrong with a JSON text, where, and what was probably meant. */
export class StrictJsonError extends Error {
  readonly problem: 'syntax' | 'duplicateKey' | 'depth' | 'inexactNumber'
  /** Counted from 1. */
  readonly line: number
  /** Counted from 1, in UTF-16 units. */
  readonly column: number
  /** Path in the value: `$and[1].lattice`; empty at the top. */
  readonly path: string
  readonly hint: string | undefined

  constructor(
    problem: StrictJsonError['problem'],
    message: string,
    at: { readonly line: number; readonly column: number; readonly path: string },
    hint?: string,
  ) {
    super(message)
    this.name = 'StrictJsonError'
    this.problem = problem
    this.line = at.line
    this.column = at.column
    this.path = at.path
    this.hint = hint
  }
}

/** Hint for NaN and Infinity. Programs write them without being asked, so it tells how to find out where. */
const NO_NUMBER =
  "JSON has no NaN and no Infinity: leave the field out, or write null. Python's json.dumps writes them by itself; " +
  'json.dumps(…, allow_nan=False) shows where they come from.'

const WORD_HINTS: Readonly<Record<string, string>> = {
  True: 'JSON writes true.',
  False: 'JSON writes false.',
  None: 'JSON writes null.',
  undefined: 'JSON has no undefined; write null.',
  NaN: NO_NUMBER,
  nan: NO_NUMBER,
  Infinity: NO_NUMBER,
  inf: NO_NUMBER,
  ObjectId: 'Write {"$oid":"…"}.',
  ISODate: 'Write {"$date":"2024-01-31T00:00:00Z"}.',
  NumberLong: 'Write the number itself.',
}

/** Tells what a bare word was probably meant to be. */
export function wordHint(word: string): string {
  const name = word.replace(/^-/, '').split('.')[0] as string
  return Object.hasOwn(WORD_HINTS, name) ? (WORD_HINTS[name] as string) : 'Strings stand in double quotes.'
}

/** Tells what was probably meant by what stands at an offset, where something else should. */
export function misplacedHint(text: string, offset: number): string {
  if (text.startsWith('//', offset) || text.startsWith('/*', offset)) return 'JSON has no comments.'
  const next = text[offset]
  switch (next) {
    case undefined:
      return 'The text ends too early: close every { and [.'
    case "'":
      return 'JSON uses double quotes, not single ones: {"a":"b"}.'
    case ']':
    case '}':
      return `Leave the comma before ${next} out, or close what is open.`
    case '/':
      return 'Write a regular expression as {"$regex":"…"}.'
    default:
      return 'Keys and strings stand in double quotes: {"a":"b"}.'
  }
}

export function exactHint(isWhole: boolean): string {
  return isWhole
    ? 'Whole numbers are exact up to 9007199254740991; compare longer ones as strings.'
    : 'The largest number is about 1.8e308, the smallest above 0 about 4.9e-324.'
}
