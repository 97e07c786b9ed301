/** The chemical elements as the periodic table has them. */

/** Symbols by atomic number, the first of hydrogen. */
const ROWS =
  'H He Li Be B C N O F Ne Na Mg Al Si P S Cl Ar K Ca Sc Ti V Cr Mn Fe Co Ni Cu Zn Ga Ge As Se Br Kr ' +
  'Rb Sr Y Zr Nb Mo Tc Ru Rh Pd Ag Cd In Sn Sb Te I Xe Cs Ba La Ce Pr Nd Pm Sm Eu Gd Tb Dy Ho Er Tm Yb Lu ' +
  'Hf Ta W Re Os Ir Pt Au Hg Tl Pb Bi Po At Rn Fr Ra Ac Th Pa U Np Pu Am Cm Bk Cf Es Fm Md No Lr ' +
  'Rf Db Sg Bh Hs Mt Ds Rg Cn Nh Fl Mc Lv Ts Og'

/** The last elements of periods. */
const NOBLE = [2, 10, 18, 36, 54, 86, 118]

export interface Element {
  readonly number: number
  readonly symbol: string
  /** 1 to 7. */
  readonly period: number
  /** 1 to 18; null in the rows of lanthanum and actinium but for lutetium and lawrencium. */
  readonly group: number | null
}

export const ELEMENTS: readonly Element[] = ROWS.split(' ').map((symbol, index) => {
  const number = index + 1
  const period = NOBLE.findIndex((last) => number <= last) + 1
  return { number, symbol, period, group: groupOf(number, period) }
})

export const SYMBOLS: ReadonlySet<string> = new Set(ELEMENTS.map(({ symbol }) => symbol))

/** Kinds of elements that people look for, with the groups or numbers that are theirs. */
export const ELEMENT_CLASSES: Readonly<Record<string, (element: Element) => boolean>> = {
  'Alkali metals': ({ group, number }) => group === 1 && number > 1,
  'Alkaline earths': ({ group }) => group === 2,
  'Transition metals': ({ group, number }) =>
    group !== null && group >= 3 && group <= 12 && number !== 71 && number !== 103,
  Lanthanides: ({ number }) => number >= 57 && number <= 71,
  Actinides: ({ number }) => number >= 89 && number <= 103,
  Pnictogens: ({ group }) => group === 15,
  Chalcogens: ({ group }) => group === 16,
  Halogens: ({ group }) => group === 17,
  'Noble gases': ({ group }) => group === 18,
}

function groupOf(number: number, period: number): number | null {
  const first = (NOBLE[period - 2] ?? 0) + 1
  const place = number - first + 1
  const length = (NOBLE[period - 1] ?? 0) - first + 1
  if (place <= 2 && number !== 2) return place
  if (length <= 8) return place + 18 - length
  if (length === 18) return place
  // The rows of lanthanum and actinium stand apart, all but their last.
  return place <= 16 ? null : place - 14
}
