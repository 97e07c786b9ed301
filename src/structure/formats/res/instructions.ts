import { FORMAT_ERRORS, refusal, type SourcePlace } from '../../errors.ts'
import type { Vector3 } from '../../linear-algebra.ts'
import { linesOf, requireNumber, shorten, wordsOf } from '../common/text.ts'

/** A line of a file, with the lines that go on from it. */
export interface ResLine {
  readonly words: readonly string[]
  /** Counted from 1. */
  readonly line: number
}

/** Takes a file into its instructions and atoms: `=` at the end goes on in the next line, `!` begins a comment. */
export function linesOfRes(text: string): readonly ResLine[] {
  const lines: { words: string[]; line: number }[] = []
  let isOpen = false
  for (const [index, raw] of linesOf(text).entries()) {
    const words = wordsOf(raw.replace(/!.*$/, ''))
    const goesOn = words.at(-1) === '='
    if (goesOn) words.pop()
    if (isOpen) lines.at(-1)?.words.push(...words)
    else if (words.length > 0) lines.push({ words, line: index + 1 })
    isOpen = goesOn && (isOpen || words.length > 0)
  }
  return lines
}

/** Instructions of SHELXL; any other name with numbers behind it is an atom. */
const INSTRUCTIONS: ReadonlySet<string> = new Set(
  (
    'ABIN ACTA AFIX ANIS ANSC ANSR BASF BIND BLOC BOND BUMP CELL CGLS CHIV CONF CONN DAMP DANG DEFS DELU DFIX DISP EADP END EQIV ' +
    'EXTI EXYZ FEND FLAT FMAP FRAG FREE FVAR GRID HFIX HKLF HTAB ISOR LATT LAUE LIST L.S. MERG MORE MOVE MPLA NCSY NEUT OMIT PART ' +
    'PLAN PRIG REM RESI RIGU RTAB SADI SAME SFAC SHEL SIMU SIZE SPEC STIR SUMP SWAT SYMM TEMP TITL TWIN TWST UNIT WGHT WIGL WPDB XNPD ZERR'
  ).split(' '),
)

/** The instruction that a line is, without the residue behind it (`SADI_2`); nothing of an atom. */
export function instructionOf([first = '']: readonly string[]): string | undefined {
  const name = first.split('_')[0]?.toUpperCase() ?? ''
  return INSTRUCTIONS.has(name) ? name : undefined
}

const LARGEST_PLAIN = 5
const FIXED = 10
const LARGEST_FIXED = 15

/** Reads numbers in the code of SHELX: 10 is added to what is not refined, 10 times m to what is multiplied by the free variable m. */
export class FreeVariables {
  readonly #values: number[] = []

  /** Takes what an instruction FVAR lists; the first is the scale factor. */
  add(values: readonly number[]): void {
    this.#values.push(...values)
  }

  value(text: string | undefined, what: string, place: SourcePlace): number {
    const code = requireNumber(text, what, place)
    if (Math.abs(code) < LARGEST_PLAIN) return code
    if (Math.abs(code) <= LARGEST_FIXED) return code - Math.sign(code) * FIXED
    const number = Math.round(code / FIXED)
    const variable = this.#values[Math.abs(number) - 1]
    if (variable === undefined) {
      const hint = 'The instruction FVAR lists the free variables, the first of which is the scale factor.'
      const message = `${what} "${shorten(text ?? '')}" names the free variable ${Math.abs(number)}, which is not there.`
      throw refusal(FORMAT_ERRORS.malformed, message, { ...place, hint })
    }
    return (code - number * FIXED) * (number > 0 ? variable : variable - 1)
  }

  /** A place, in fractions. */
  vector(words: readonly string[], place: SourcePlace): Vector3 {
    const [x, y, z] = [0, 1, 2].map((axis) => this.value(words[axis], 'A coordinate', place)) as [
      number,
      number,
      number,
    ]
    return [x, y, z]
  }
}
