import { SYMBOLS } from './elements.ts'
import { exactShare } from './shares.ts'

/** Atoms of each element, in the order in which formulas name them. */
export type ElementCounts = ReadonlyMap<string, number>

/** What a text says as a formula, in the order of the text; or what is wrong with it, in a sentence, and at which character, from 0. */
export type FormulaReading =
  | { readonly counts: ElementCounts }
  | { readonly fault: string; readonly at?: number | undefined }

const LONGEST_FORMULA = 1000
const MOST_DEPTH = 16
const CLOSING: Readonly<Record<string, string>> = { '(': ')', '[': ']', '{': '}' }
const SUBSCRIPTS = '₀₁₂₃₄₅₆₇₈₉'
/** Dots and stars that chemists put before the water of a hydrate. */
const JOINTS = '·•⋅∙*'
/** Hydrate joined by a full stop; any other full stop between digits is a decimal point. */
const HYDRATE = /^\.(?:\d+(?:\.\d+)?)?\(?(?:H2O|D2O|NH3)(?![a-z\d])/
const HYDROGEN_ISOTOPES = ['D', 'T']

/** Digits of subscripts as digits. */
export function plainDigits(text: string): string {
  return text.replaceAll(/[₀-₉]/g, (digit) => String(SUBSCRIPTS.indexOf(digit)))
}

/** Reads formulas such as `Ca(OH)2`, `K4[Fe(CN)6]`, `CuSO4·5H2O`, `Fe0.95O`; D and T count as H. Keeps the order, refuses charges. */
export function readFormulaText(text: string): FormulaReading {
  const normal = plainDigits(text.trim())
  if (normal.length > LONGEST_FORMULA) {
    return { fault: `The formula has ${normal.length} characters; at most ${LONGEST_FORMULA} are read.` }
  }
  try {
    return { counts: new FormulaReader(normal).read() }
  } catch (error) {
    if (error instanceof Mistake) return { fault: error.message, at: error.at }
    throw error
  }
}

class Mistake extends Error {
  readonly at: number

  constructor(message: string, at: number) {
    super(message)
    this.at = at
  }
}

class FormulaReader {
  readonly #text: string
  #position = 0

  constructor(text: string) {
    this.#text = text
  }

  read(): ElementCounts {
    const total = new Map<string, number>()
    if (this.#text === '') throw this.#mistake('The formula is empty.')
    for (;;) {
      const factor = this.#number(true) ?? 1
      addTo(total, this.#group('', 0), factor)
      if (this.#position >= this.#text.length) return total
      if (!this.#takeJoint()) throw this.#unexpected()
    }
  }

  /** Elements and brackets up to the closing bracket, a joint or the end. */
  #group(closing: string, depth: number): Map<string, number> {
    if (depth > MOST_DEPTH) throw this.#mistake(`Brackets are nested deeper than ${MOST_DEPTH}.`)
    const counts = new Map<string, number>()
    for (;;) {
      const character = this.#text.charAt(this.#position)
      const closer = Object.hasOwn(CLOSING, character) ? CLOSING[character] : undefined
      if (closer !== undefined) {
        const opened = this.#position
        this.#position++
        const inner = this.#group(closer, depth + 1)
        if (this.#text.charAt(this.#position) !== closer)
          throw this.#mistake(`The bracket "${character}" is not closed.`, opened)
        this.#position++
        addTo(counts, inner, this.#count())
      } else if (/[A-Z]/.test(character)) {
        const element = this.#element()
        addTo(counts, new Map([[element, 1]]), this.#count())
      } else break
    }
    if (counts.size === 0) throw this.#unexpected()
    const next = this.#text.charAt(this.#position)
    if (closing === '' || next === closing || next === '') return counts
    throw this.#unexpected()
  }

  #element(): string {
    const two = /^[A-Z][a-z]/.exec(this.#text.slice(this.#position, this.#position + 2))?.[0]
    const name = two ?? this.#text.charAt(this.#position)
    const element = elementOf(name)
    if (element === undefined) throw this.#mistake(`"${name}" is no chemical element.`)
    this.#position += name.length
    return element
  }

  #count(): number {
    return this.#number(false) ?? 1
  }

  /** Before a whole part of the formula (`leading`) a full stop can only be a decimal point. */
  #number(leading: boolean): number | undefined {
    const rest = this.#text.slice(this.#position)
    const whole = /^\d*/.exec(rest)?.[0] ?? ''
    const joins = !leading && HYDRATE.test(rest.slice(whole.length))
    const decimals = joins ? '' : (/^\.\d+/.exec(rest.slice(whole.length))?.[0] ?? '')
    // In `CaSO4.0.5H2O` the first full stop is a joint.
    const digits = /^\.\d/.test(rest.slice(whole.length + decimals.length)) ? whole : whole + decimals
    if (digits === '' || (whole === '' && this.#position > 0)) return undefined
    const value = Number(digits)
    if (!(value > 0) || value > 1e9) throw this.#mistake(`The count ${digits.slice(0, 40)} is not a positive number.`)
    this.#position += digits.length
    return value
  }

  #takeJoint(): boolean {
    const character = this.#text.charAt(this.#position)
    if (character !== '.' && (character === '' || !JOINTS.includes(character))) return false
    this.#position++
    return true
  }

  #unexpected(): Mistake {
    const character = this.#text.charAt(this.#position)
    if (character === '') return this.#mistake('The formula ends too early.')
    if (/[-+−⁺⁻⁰¹²³⁴-⁹^]/.test(character)) return this.#mistake('The formula carries a charge; leave it out.')
    return this.#mistake(`"${character}" was not expected.`)
  }

  #mistake(message: string, at = this.#position): Mistake {
    return new Mistake(message, at)
  }
}

function elementOf(name: string): string | undefined {
  if (HYDROGEN_ISOTOPES.includes(name)) return 'H'
  return SYMBOLS.has(name) ? name : undefined
}

function addTo(total: Map<string, number>, counts: ElementCounts, factor: number): void {
  for (const [element, count] of counts) total.set(element, tidyCount((total.get(element) ?? 0) + count * factor))
}

/** Rounds a count to nine decimals: thirds do not add up to whole numbers to the last digit. */
export function tidyCount(count: number): number {
  return Math.round(count * 1e9) / 1e9
}

/** Beyond this denominator shares are rounded. */
const LARGEST_DENOMINATOR = 1000

/** Counts in lowest whole numbers: decimals such as those of Fe0.5Mn0.5O become whole first, rounded to thousandths where nothing simpler fits. */
export function reducedCounts(counts: ElementCounts): ElementCounts {
  const exact = new Map([...counts].map(([element, count]) => [element, exactCount(count)]))
  const factor = wholeFactor([...exact.values()])
  const whole = new Map([...exact].map(([element, count]) => [element, Math.max(1, Math.round(count * factor))]))
  const divisor = [...whole.values()].reduce(commonDivisor, 0)
  return new Map([...whole].map(([element, count]) => [element, count / divisor]))
}

function exactCount(count: number): number {
  const whole = Math.floor(count)
  return Number.isInteger(count) ? count : whole + exactShare(Math.round((count - whole) * 1e9) / 1e9)
}

function wholeFactor(values: readonly number[]): number {
  for (let factor = 1; factor <= LARGEST_DENOMINATOR; factor++) {
    if (values.every((value) => Math.abs(value * factor - Math.round(value * factor)) < 1e-6)) return factor
  }
  return LARGEST_DENOMINATOR
}

/** Puts the elements into the order in which formulas name them: the least electronegative first, ties by symbol. */
export function formulaOrder(counts: ElementCounts, electronegativityOf: (symbol: string) => number): ElementCounts {
  const compare = (one: string, other: string): number =>
    electronegativityOf(one) - electronegativityOf(other) || (one < other ? -1 : 1)
  return new Map([...counts].sort(([one], [other]) => compare(one, other)))
}

/** `Ti2O4` */
export function printCounts(counts: ElementCounts): string {
  return [...counts].map(([symbol, count]) => printCount(symbol, count)).join('')
}

/** `O2`, `O`, `O1.75`: at most four decimals. */
export function printCount(symbol: string, count: number): string {
  const rounded = Math.round(count * 1e4) / 1e4
  return rounded === 1 ? symbol : `${symbol}${rounded}`
}

function commonDivisor(one: number, other: number): number {
  return other === 0 ? one : commonDivisor(other, one % other)
}
