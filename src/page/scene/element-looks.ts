/** Symbol, covalent radius in Å (Cordero et al., Dalton Trans. 2008, 2832; null: not measured), colour of Jmol; by atomic number. */
const ROWS: readonly (readonly [symbol: string, covalentRadius: number | null, color: string])[] = [
  ['H', 0.31, '#FFFFFF'],
  ['He', 0.28, '#D9FFFF'],
  ['Li', 1.28, '#CC80FF'],
  ['Be', 0.96, '#C2FF00'],
  ['B', 0.84, '#FFB5B5'],
  ['C', 0.76, '#909090'],
  ['N', 0.71, '#3050F8'],
  ['O', 0.66, '#FF0D0D'],
  ['F', 0.57, '#90E050'],
  ['Ne', 0.58, '#B3E3F5'],
  ['Na', 1.66, '#AB5CF2'],
  ['Mg', 1.41, '#8AFF00'],
  ['Al', 1.21, '#BFA6A6'],
  ['Si', 1.11, '#F0C8A0'],
  ['P', 1.07, '#FF8000'],
  ['S', 1.05, '#FFFF30'],
  ['Cl', 1.02, '#1FF01F'],
  ['Ar', 1.06, '#80D1E3'],
  ['K', 2.03, '#8F40D4'],
  ['Ca', 1.76, '#3DFF00'],
  ['Sc', 1.7, '#E6E6E6'],
  ['Ti', 1.6, '#BFC2C7'],
  ['V', 1.53, '#A6A6AB'],
  ['Cr', 1.39, '#8A99C7'],
  ['Mn', 1.39, '#9C7AC7'],
  ['Fe', 1.32, '#E06633'],
  ['Co', 1.26, '#F090A0'],
  ['Ni', 1.24, '#50D050'],
  ['Cu', 1.32, '#C88033'],
  ['Zn', 1.22, '#7D80B0'],
  ['Ga', 1.22, '#C28F8F'],
  ['Ge', 1.2, '#668F8F'],
  ['As', 1.19, '#BD80E3'],
  ['Se', 1.2, '#FFA100'],
  ['Br', 1.2, '#A62929'],
  ['Kr', 1.16, '#5CB8D1'],
  ['Rb', 2.2, '#702EB0'],
  ['Sr', 1.95, '#00FF00'],
  ['Y', 1.9, '#94FFFF'],
  ['Zr', 1.75, '#94E0E0'],
  ['Nb', 1.64, '#73C2C9'],
  ['Mo', 1.54, '#54B5B5'],
  ['Tc', 1.47, '#3B9E9E'],
  ['Ru', 1.46, '#248F8F'],
  ['Rh', 1.42, '#0A7D8C'],
  ['Pd', 1.39, '#006985'],
  ['Ag', 1.45, '#C0C0C0'],
  ['Cd', 1.44, '#FFD98F'],
  ['In', 1.42, '#A67573'],
  ['Sn', 1.39, '#668080'],
  ['Sb', 1.39, '#9E63B5'],
  ['Te', 1.38, '#D47A00'],
  ['I', 1.39, '#940094'],
  ['Xe', 1.4, '#429EB0'],
  ['Cs', 2.44, '#57178F'],
  ['Ba', 2.15, '#00C900'],
  ['La', 2.07, '#70D4FF'],
  ['Ce', 2.04, '#FFFFC7'],
  ['Pr', 2.03, '#D9FFC7'],
  ['Nd', 2.01, '#C7FFC7'],
  ['Pm', 1.99, '#A3FFC7'],
  ['Sm', 1.98, '#8FFFC7'],
  ['Eu', 1.98, '#61FFC7'],
  ['Gd', 1.96, '#45FFC7'],
  ['Tb', 1.94, '#30FFC7'],
  ['Dy', 1.92, '#1FFFC7'],
  ['Ho', 1.92, '#00FF9C'],
  ['Er', 1.89, '#00E675'],
  ['Tm', 1.9, '#00D452'],
  ['Yb', 1.87, '#00BF38'],
  ['Lu', 1.87, '#00AB24'],
  ['Hf', 1.75, '#4DC2FF'],
  ['Ta', 1.7, '#4DA6FF'],
  ['W', 1.62, '#2194D6'],
  ['Re', 1.51, '#267DAB'],
  ['Os', 1.44, '#266696'],
  ['Ir', 1.41, '#175487'],
  ['Pt', 1.36, '#D0D0E0'],
  ['Au', 1.36, '#FFD123'],
  ['Hg', 1.32, '#B8B8D0'],
  ['Tl', 1.45, '#A6544D'],
  ['Pb', 1.46, '#575961'],
  ['Bi', 1.48, '#9E4FB5'],
  ['Po', 1.4, '#AB5C00'],
  ['At', 1.5, '#754F45'],
  ['Rn', 1.5, '#428296'],
  ['Fr', 2.6, '#420066'],
  ['Ra', 2.21, '#007D00'],
  ['Ac', 2.15, '#70ABFA'],
  ['Th', 2.06, '#00BAFF'],
  ['Pa', 2.0, '#00A1FF'],
  ['U', 1.96, '#008FFF'],
  ['Np', 1.9, '#0080FF'],
  ['Pu', 1.87, '#006BFF'],
  ['Am', 1.8, '#545CF2'],
  ['Cm', 1.69, '#785CE3'],
  ['Bk', null, '#8A4FE3'],
  ['Cf', null, '#A136D4'],
  ['Es', null, '#B31FD4'],
  ['Fm', null, '#B31FBA'],
  ['Md', null, '#B30DA6'],
  ['No', null, '#BD0D87'],
  ['Lr', null, '#C70066'],
  ['Rf', null, '#CC0059'],
  ['Db', null, '#D1004F'],
  ['Sg', null, '#D90045'],
  ['Bh', null, '#E00038'],
  ['Hs', null, '#E6002E'],
  ['Mt', null, '#EB0026'],
  ['Ds', null, '#EB0026'],
  ['Rg', null, '#EB0026'],
  ['Cn', null, '#EB0026'],
  ['Nh', null, '#EB0026'],
  ['Fl', null, '#EB0026'],
  ['Mc', null, '#EB0026'],
  ['Lv', null, '#EB0026'],
  ['Ts', null, '#EB0026'],
  ['Og', null, '#EB0026'],
]

export interface ElementLook {
  readonly symbol: string
  /** In Å; null beyond curium. */
  readonly covalentRadius: number | null
  /** `#RRGGBB`. */
  readonly color: string
}

const looks: ReadonlyMap<string, ElementLook> = new Map(
  ROWS.map(([symbol, covalentRadius, color]) => [symbol, { symbol, covalentRadius, color }]),
)

/** Radius of unknown symbols and unmeasured elements. */
const UNKNOWN_RADIUS_ANGSTROM = 1.6
const UNKNOWN_COLOR = '#FF1493'

export function lookOf(symbol: string): ElementLook {
  return looks.get(symbol) ?? { symbol, covalentRadius: null, color: UNKNOWN_COLOR }
}

/** A covalent radius to reckon with, in Å. */
export function radiusOf(symbol: string): number {
  return lookOf(symbol).covalentRadius ?? UNKNOWN_RADIUS_ANGSTROM
}

/** The elements that are no metals, the most electronegative first (order of Pauling's scale; noble gases at the end). */
const NONMETALS = 'F O Cl N Br I S Se C At As H P Te B Sb Ge Si He Ne Ar Kr Xe Rn'.split(' ')

export function isMetal(symbol: string): boolean {
  return !NONMETALS.includes(symbol)
}

/** Tells whether the second of two elements draws the electrons of their bond to itself; never so of two metals. */
export function isLigandOf(center: string, other: string): boolean {
  const rank = (symbol: string): number => (isMetal(symbol) ? NONMETALS.length : NONMETALS.indexOf(symbol))
  return rank(other) < rank(center)
}
