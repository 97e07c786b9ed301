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

/** A kind of elements that people look for. */
export interface ElementClass {
  /** As records have it: in the singular. */
  readonly name: string
  /** As a button has it. */
  readonly title: string
  readonly includes: (element: Element) => boolean
}

const RARE_EARTHS = [21, 39]
const METALLOIDS = [5, 14, 32, 33, 51, 52]

/** The names of IUPAC, and metalloids, for which it has no list: boron, silicon, germanium, arsenic, antimony and tellurium. */
export const ELEMENT_CLASSES: readonly ElementClass[] = [
  { name: 'alkali metal', title: 'Alkali metals', includes: ({ group, number }) => group === 1 && number > 1 },
  { name: 'alkaline earth', title: 'Alkaline earths', includes: ({ group }) => group === 2 },
  {
    name: 'rare earth',
    title: 'Rare earths',
    includes: ({ number }) => RARE_EARTHS.includes(number) || (number >= 57 && number <= 71),
  },
  { name: 'lanthanide', title: 'Lanthanides', includes: ({ number }) => number >= 57 && number <= 71 },
  { name: 'actinide', title: 'Actinides', includes: ({ number }) => number >= 89 && number <= 103 },
  {
    name: 'transition metal',
    title: 'Transition metals',
    includes: ({ group, number }) => group !== null && group >= 3 && group <= 12 && number !== 71 && number !== 103,
  },
  { name: 'metalloid', title: 'Metalloids', includes: ({ number }) => METALLOIDS.includes(number) },
  { name: 'pnictogen', title: 'Pnictogens', includes: ({ group }) => group === 15 },
  { name: 'chalcogen', title: 'Chalcogens', includes: ({ group }) => group === 16 },
  { name: 'halogen', title: 'Halogens', includes: ({ group }) => group === 17 },
  { name: 'noble gas', title: 'Noble gases', includes: ({ group }) => group === 18 },
]

export const ELEMENT_CLASS_NAMES: readonly string[] = ELEMENT_CLASSES.map(({ name }) => name)

/** The classes of some elements, in their order. */
export function elementClassesOf(symbols: readonly string[]): readonly string[] {
  const elements = ELEMENTS.filter(({ symbol }) => symbols.includes(symbol))
  return ELEMENT_CLASSES.filter(({ includes }) => elements.some(includes)).map(({ name }) => name)
}

export function elementsOfClass(name: string): readonly string[] {
  const found = ELEMENT_CLASSES.find((one) => one.name === name)
  return found === undefined ? [] : ELEMENTS.filter(found.includes).map(({ symbol }) => symbol)
}

const OTHER_NAMES: Readonly<Record<string, string>> = {
  alkali: 'alkali metal',
  'alkaline earth metal': 'alkaline earth',
  'rare earth element': 'rare earth',
  'rare earth metal': 'rare earth',
  ree: 'rare earth',
  lanthanoid: 'lanthanide',
  actinoid: 'actinide',
  semimetal: 'metalloid',
  pnicogen: 'pnictogen',
  'rare gas': 'noble gas',
  'inert gas': 'noble gas',
}

/** Reads the name of a class: in the singular or plural, with spaces, hyphens or neither; null for what is none. */
export function readElementClass(text: string): string | null {
  const bare = (name: string): string => name.toLowerCase().replaceAll(/[\s_-]/g, '')
  const meant = bare(text)
  const known = [...ELEMENT_CLASS_NAMES.map((name) => [name, name] as const), ...Object.entries(OTHER_NAMES)]
  return known.find(([name]) => [bare(name), `${bare(name)}s`, `${bare(name)}es`].includes(meant))?.[1] ?? null
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
