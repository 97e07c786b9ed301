import { keyOf } from '../../page/space-group-symbols.ts'
import { cachedOperators, settingsOfSymbol } from './space-group-setting.ts'

/** Operators for each lattice point of the cell. */
const CENTRINGS: Readonly<Record<string, number>> = { P: 1, A: 2, B: 2, C: 2, I: 2, F: 4 }

interface MonoclinicAxis {
  readonly axis: 'x' | 'y' | 'z'
  /** Half of the axis. */
  readonly screw: string
  /** Translations of the planes across it; a diamond glide goes along either diagonal. */
  readonly glides: Readonly<Record<string, readonly string[]>>
}

const ABOUT_A: MonoclinicAxis = {
  axis: 'x',
  screw: 'a',
  glides: { m: [''], b: ['b'], c: ['c'], n: ['bc'], d: ['vw', 'vwww'] },
}
const ABOUT_B: MonoclinicAxis = {
  axis: 'y',
  screw: 'b',
  glides: { m: [''], a: ['a'], c: ['c'], n: ['ac'], d: ['uw', 'uwww'] },
}
const ABOUT_C: MonoclinicAxis = {
  axis: 'z',
  screw: 'c',
  glides: { m: [''], a: ['a'], b: ['b'], n: ['ab'], d: ['uv', 'uvvv'] },
}

/** `1 2_1/c 1`, `1 1 2_1/b`, `2_1/b 1 1`, and `2_1/c`, of which the axis is b. */
const ELEMENTS = '(?:(2)(1?)(?:/([mabcnd]))?|([mabcnd]))'
const MONOCLINIC: readonly (readonly [RegExp, MonoclinicAxis])[] = [
  [new RegExp(`^([PABCIF])1${ELEMENTS}1$`, 'i'), ABOUT_B],
  [new RegExp(`^([PABCIF])11${ELEMENTS}$`, 'i'), ABOUT_C],
  [new RegExp(`^([PABCIF])${ELEMENTS}11$`, 'i'), ABOUT_A],
  [new RegExp(`^([PABCIF])${ELEMENTS}$`, 'i'), ABOUT_B],
]

/** Hall symbols of what a symbol says in a cell that no table lists: a triclinic group in a centred cell (`C -1`), a monoclinic one in another cell (`B 2_1/c`, `F 2/d`). */
export function hallSymbolsBesideTable(symbol: string): readonly string[] {
  if (settingsOfSymbol(symbol).length > 0) return []
  const [, centring, inversion] = /^([ABCIF])(-?)1$/i.exec(keyOf(symbol)) ?? []
  return centring === undefined ? monoclinicHallSymbols(symbol) : [`${inversion}${centring.toUpperCase()} 1`]
}

/** Hall symbols of a monoclinic group in any cell, with a centre of symmetry in the origin where it has any; two where a glide may go either way. */
export function monoclinicHallSymbols(symbol: string): readonly string[] {
  const text = keyOf(symbol)
  for (const [form, about] of MONOCLINIC) {
    const found = form.exec(text)
    if (found !== null) return monoclinicSymbols(found, about)
  }
  return []
}

function monoclinicSymbols(
  [, letter = '', rotation, screw, across, alone]: readonly (string | undefined)[],
  { axis, screw: half, glides }: MonoclinicAxis,
): readonly string[] {
  const centring = letter.toUpperCase()
  const moved = screw === '1' ? half : ''
  if (rotation !== undefined && across === undefined) return [`${centring} 2${axis}${moved}`]
  const along = glides[(across ?? alone ?? '').toLowerCase()] ?? []
  const symbols = along.map((glide) =>
    across === undefined ? `${centring} -2${axis}${glide}` : `-${centring} 2${axis}${moved}${glide}`,
  )
  // A glide that is no half of a vector of the lattice makes a lattice of more points.
  const count = (CENTRINGS[centring] ?? 1) * (across === undefined ? 2 : 4)
  return symbols.filter((hall) => cachedOperators(hall)?.length === count)
}
