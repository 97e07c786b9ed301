/** A crystal: lengths in angstrom, angles in degrees, sites in fractions of the lattice vectors. */
export interface Crystal {
  readonly name: string
  readonly lattice: Readonly<Record<'a' | 'b' | 'c' | 'alpha' | 'beta' | 'gamma', number>> & { readonly type: string }
  readonly sites: readonly (readonly [symbol: string, ...number[]])[]
}

type Sites = Crystal['sites']

type Triple = readonly [number, number, number]

const lattice = (type: string, [a, b, c]: Triple, [alpha, beta, gamma]: Triple) => {
  return { type, a, b, c, alpha, beta, gamma }
}
const fcc = (a: number) => lattice('FCC', three(round(a / Math.SQRT2)), [60, 60, 60])
const bcc = (a: number) => lattice('BCC', three(round((a * Math.sqrt(3)) / 2)), [109.471221, 109.471221, 109.471221])
const cubic = (a: number) => lattice('CUB', [a, a, a], [90, 90, 90])
const hexagonal = (a: number, c: number) => lattice('HEX', [a, a, c], [90, 90, 120])
const tetragonal = (a: number, c: number) => lattice('TET', [a, a, c], [90, 90, 90])

const round = (value: number): number => Math.round(value * 1e6) / 1e6
const three = (value: number): Triple => [value, value, value]

const rocksalt = (a: string, b: string, length: number) =>
  crystal(`${a}${b} rock salt`, fcc(length), [[a, 0, 0, 0], [b, 0.5, 0.5, 0.5]]) // biome-ignore format: a table
const zincblende = (a: string, b: string, length: number) =>
  crystal(`${a}${b} zincblende`, fcc(length), [[a, 0, 0, 0], [b, 0.25, 0.25, 0.25]]) // biome-ignore format: a table
const fluorite = (a: string, b: string, length: number) =>
  crystal(`${a}${b}2 fluorite`, fcc(length), [[a, 0, 0, 0], [b, 0.25, 0.25, 0.25], [b, 0.75, 0.75, 0.75]]) // biome-ignore format: a table
const caesiumChloride = (a: string, b: string, length: number) =>
  crystal(`${a}${b} caesium chloride`, cubic(length), [[a, 0, 0, 0], [b, 0.5, 0.5, 0.5]]) // biome-ignore format: a table
const perovskite = (a: string, b: string, x: string, length: number) =>
  crystal(`${a}${b}${x}3 perovskite`, cubic(length), [
    [a, 0, 0, 0],
    [b, 0.5, 0.5, 0.5],
    [x, 0.5, 0.5, 0],
    [x, 0.5, 0, 0.5],
    [x, 0, 0.5, 0.5],
  ])
const rutile = (a: string, x: string, [length, c]: readonly [number, number], u: number) =>
  crystal(`${a}${x}2 rutile`, tetragonal(length, c), [
    [a, 0, 0, 0],
    [a, 0.5, 0.5, 0.5],
    [x, u, u, 0],
    [x, 1 - u, 1 - u, 0],
    [x, round(0.5 + u), round(0.5 - u), 0.5],
    [x, round(0.5 - u), round(0.5 + u), 0.5],
  ])
const wurtzite = (a: string, x: string, [length, c]: readonly [number, number], u: number) =>
  crystal(`${a}${x} wurtzite`, hexagonal(length, c), [
    [a, 0.333333, 0.666667, 0],
    [a, 0.666667, 0.333333, 0.5],
    [x, 0.333333, 0.666667, u],
    [x, 0.666667, 0.333333, round(0.5 + u)],
  ])
const closePacked = (a: string, length: number, c: number) =>
  crystal(`${a} hcp`, hexagonal(length, c), [[a, 0.333333, 0.666667, 0.25], [a, 0.666667, 0.333333, 0.75]]) // biome-ignore format: a table
const element = (a: string, cell: Crystal['lattice']) =>
  crystal(`${a} ${cell.type.toLowerCase()}`, cell, [[a, 0, 0, 0]])
const skewed = (a: string, x: string, cell: Crystal['lattice']) =>
  crystal(`${a}${x} ${cell.type.toLowerCase()}`, cell, [[a, 0.1, 0.2, 0.3], [x, 0.62, 0.55, 0.71]]) // biome-ignore format: a table

function crystal(name: string, cell: Crystal['lattice'], sites: Sites): Crystal {
  return { name, lattice: cell, sites }
}

/** Some fifty crystals of twelve structures, each in its primitive cell. */
export const CRYSTALS: readonly Crystal[] = [
  rocksalt('Mg', 'O', 4.212),
  rocksalt('Na', 'Cl', 5.64),
  rocksalt('Ca', 'O', 4.811),
  rocksalt('Li', 'F', 4.026),
  rocksalt('K', 'Br', 6.6),
  rocksalt('Sr', 'O', 5.16),
  rocksalt('Ti', 'N', 4.24),
  rocksalt('Pb', 'S', 5.936),
  zincblende('Ga', 'As', 5.653),
  zincblende('Zn', 'S', 5.409),
  zincblende('In', 'P', 5.869),
  zincblende('Si', 'C', 4.36),
  zincblende('B', 'N', 3.615),
  zincblende('Cd', 'Te', 6.482),
  zincblende('Si', 'Si', 5.431),
  zincblende('Ge', 'Ge', 5.658),
  zincblende('C', 'C', 3.567),
  fluorite('Ca', 'F', 5.463),
  fluorite('Ce', 'O', 5.411),
  fluorite('Zr', 'O', 5.09),
  caesiumChloride('Cs', 'Cl', 4.123),
  caesiumChloride('Ni', 'Al', 2.887),
  caesiumChloride('Fe', 'Al', 2.909),
  perovskite('Sr', 'Ti', 'O', 3.905),
  perovskite('Ba', 'Ti', 'O', 4.006),
  perovskite('Ca', 'Ti', 'O', 3.84),
  perovskite('La', 'Al', 'O', 3.791),
  perovskite('K', 'Nb', 'O', 4.022),
  rutile('Ti', 'O', [4.593, 2.959], 0.305),
  rutile('Sn', 'O', [4.738, 3.187], 0.307),
  rutile('Mn', 'O', [4.398, 2.873], 0.302),
  wurtzite('Zn', 'O', [3.25, 5.207], 0.382),
  wurtzite('Ga', 'N', [3.189, 5.185], 0.377),
  wurtzite('Al', 'N', [3.112, 4.982], 0.382),
  closePacked('Mg', 3.209, 5.211),
  closePacked('Ti', 2.951, 4.684),
  closePacked('Zn', 2.665, 4.947),
  closePacked('Co', 2.507, 4.069),
  element('Cu', fcc(3.615)),
  element('Ag', fcc(4.086)),
  element('Au', fcc(4.078)),
  element('Al', fcc(4.05)),
  element('Ni', fcc(3.524)),
  element('Pt', fcc(3.924)),
  element('Fe', bcc(2.866)),
  element('W', bcc(3.165)),
  element('Cr', bcc(2.885)),
  element('Mo', bcc(3.147)),
  element('Nb', bcc(3.301)),
  skewed('Na', 'I', lattice('TRI', [4.1, 5.2, 6.3], [71, 82, 93])),
  skewed('K', 'F', lattice('ORC', [4.2, 5.3, 6.4], [90, 90, 90])),
  skewed('Rb', 'Cl', lattice('MCL', [4.3, 5.4, 6.5], [90, 101, 90])),
]
