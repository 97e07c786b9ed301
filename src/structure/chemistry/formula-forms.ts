import { FORMAT_ERRORS, refusal } from '../errors.ts'
import { elementNamed } from '../formats/common/species.ts'
import { shorten } from '../formats/common/text.ts'
import { type ElementCounts, printCount, reducedCounts, tidyCount } from '../formula.ts'

/** Carbon, hydrogen, then the others by symbol; without carbon all by symbol (Hill 1900). */
export function hillFormula(counts: ElementCounts): string {
  const first = counts.has('C') ? ['C', 'H'] : []
  const rank = (element: string): number => (first.includes(element) ? first.indexOf(element) : first.length)
  return join([...counts].sort(([one], [other]) => rank(one) - rank(other) || bySymbol(one, other)))
}

/** Lowest whole numbers, elements by symbol: the `chemical_formula_reduced` of OPTIMADE. */
export function alphabeticalReducedFormula(counts: ElementCounts): string {
  return join([...reducedCounts(counts)].sort(([one], [other]) => bySymbol(one, other)))
}

/** Lowest whole numbers with letters for elements, the most frequent first: `A3BC` for SrTiO3. */
export function anonymousFormula(counts: ElementCounts): string {
  const numbers = [...reducedCounts(counts).values()].sort((one, other) => other - one)
  return join(numbers.map((count, index) => [anonymousLetter(index), count]))
}

/** The elements by symbol, joined by hyphens: `O-Si-Sr`. */
export function chemicalSystem(counts: ElementCounts): string {
  return [...counts.keys()].sort(bySymbol).join('-')
}

/** The share of each element among the atoms, by symbol; shares add up to 1. */
export function elementRatios(counts: ElementCounts): ReadonlyMap<string, number> {
  const total = [...counts.values()].reduce((sum, count) => sum + count, 0)
  return new Map(
    [...counts].sort(([one], [other]) => bySymbol(one, other)).map(([element, count]) => [element, count / total]),
  )
}

/** A to Z, then Aa, Ba, … as OPTIMADE numbers elements. */
function anonymousLetter(index: number): string {
  const letter = String.fromCharCode(65 + (index % 26))
  const round = Math.floor(index / 26)
  return round === 0 ? letter : letter + String.fromCharCode(96 + round)
}

function join(parts: readonly (readonly [string, number])[]): string {
  return parts.map(([name, count]) => printCount(name, count)).join('')
}

function bySymbol(one: string, other: string): number {
  return one < other ? -1 : one > other ? 1 : 0
}

const LONGEST_FORMULA = 1000
const MOST_DEPTH = 16
const CLOSING: Readonly<Record<string, string>> = { '(': ')', '[': ']', '{': '}' }
const SUBSCRIPTS = '₀₁₂₃₄₅₆₇₈₉'
/** Dots and stars that chemists put before the water of a hydrate. */
const JOINTS = '·•⋅∙*'
/** Hydrate joined by a full stop; any other full stop between digits is a decimal point. */
const HYDRATE = /^\.(?:\d+(?:\.\d+)?)?\(?(?:H2O|D2O|NH3)(?![a-z\d])/

/** Reads formulas such as `Ca(OH)2`, `K4[Fe(CN)6]`, `CuSO4·5H2O`, `Fe0.95O`; D and T count as H. Keeps the order, refuses charges. */
export function parseFormula(text: string): ElementCounts {
  const normal = text.trim().replace(/[₀-₉]/g, (digit) => String(SUBSCRIPTS.indexOf(digit)))
  if (normal.length > LONGEST_FORMULA) {
    const message = `The formula has ${normal.length} characters; at most ${LONGEST_FORMULA} are read.`
    throw refusal(FORMAT_ERRORS.malformedFormula, message)
  }
  return new FormulaReader(normal).read()
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
    const element = elementNamed(name)
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
    if (!(value > 0) || value > 1e9) throw this.#mistake(`The count ${shorten(digits)} is not a positive number.`)
    this.#position += digits.length
    return value
  }

  #takeJoint(): boolean {
    const character = this.#text.charAt(this.#position)
    if (character !== '.' && (character === '' || !JOINTS.includes(character))) return false
    this.#position++
    return true
  }

  #unexpected(): Error {
    const character = this.#text.charAt(this.#position)
    if (character === '') return this.#mistake('The formula ends too early.')
    if (/[-+−⁺⁻⁰¹²³⁴-⁹^]/.test(character)) return this.#mistake('The formula carries a charge; leave it out.')
    return this.#mistake(`"${character}" was not expected.`)
  }

  #mistake(message: string, position = this.#position): Error {
    return refusal(
      FORMAT_ERRORS.malformedFormula,
      `The formula "${shorten(this.#text)}" cannot be read at column ${position + 1}: ${message}`,
      { column: position + 1, hint: 'A formula is written as Ca(OH)2, K4[Fe(CN)6] or CuSO4·5H2O.' },
    )
  }
}

function addTo(total: Map<string, number>, counts: ElementCounts, factor: number): void {
  for (const [element, count] of counts) total.set(element, tidyCount((total.get(element) ?? 0) + count * factor))
}
