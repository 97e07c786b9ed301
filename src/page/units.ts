import { ANGSTROM_PER_BOHR } from './bohr.ts'

// Constants are CODATA 2018 (E. Tiesinga et al., Rev. Mod. Phys. 93, 025010 (2021)); e, h, c and the number of Avogadro are exact.

/** Joules in one electronvolt. */
const JOULE_PER_EV = 1.602176634e-19
const PLANCK_JOULE_SECOND = 6.62607015e-34
const LIGHT_METRE_PER_SECOND = 299_792_458
const PER_MOLE = 6.02214076e23

/** Electronvolts in one hartree. */
export const EV_PER_HARTREE = 27.211386245988

/** Electronvolts in one rydberg. */
export const EV_PER_RYDBERG = 13.605693122994

/** Kilobars in one eV/Å³. */
export const KBAR_PER_EV_PER_ANGSTROM3 = JOULE_PER_EV * 1e22

const ANGSTROM = 1e-10
const BOHR = ANGSTROM_PER_BOHR * ANGSTROM
const RYDBERG = EV_PER_RYDBERG * JOULE_PER_EV
const HARTREE = EV_PER_HARTREE * JOULE_PER_EV
const CALORIE = 4.184
const DYNE = 1e-5

/** Powers of what a unit measures: energies, lengths and masses, angles, magnetic moments, and for each of how many atoms, formula units or cells. */
type Dimension = Readonly<
  Partial<Record<'energy' | 'length' | 'mass' | 'angle' | 'moment' | 'atom' | 'formula' | 'cell', number>>
>

/** A unit: what it measures, and how much of it in joules, metres, kilograms, degrees and Bohr magnetons. */
interface SizedUnit {
  readonly dimension: Dimension
  readonly size: number
}

const ENERGY: Dimension = { energy: 1 }
const LENGTH: Dimension = { length: 1 }
const FORCE: Dimension = { energy: 1, length: -1 }
const PRESSURE: Dimension = { energy: 1, length: -3 }
const MASS: Dimension = { mass: 1 }
const ANGLE: Dimension = { angle: 1 }
const MOMENT: Dimension = { moment: 1 }
const NUMBER: Dimension = {}

/** Units by all their names. */
const UNITS: readonly (readonly [dimension: Dimension, size: number, names: string])[] = [
  [ENERGY, JOULE_PER_EV, 'eV electronvolt electronvolts'],
  [ENERGY, 1e-3 * JOULE_PER_EV, 'meV'],
  [ENERGY, 1e3 * JOULE_PER_EV, 'keV'],
  [ENERGY, 1e6 * JOULE_PER_EV, 'MeV'],
  [ENERGY, RYDBERG, 'Ry Ryd Rydberg rydbergs'],
  [ENERGY, 1e-3 * RYDBERG, 'mRy'],
  [ENERGY, HARTREE, 'Ha Hartree hartrees Eh E_h'],
  [ENERGY, 1e-3 * HARTREE, 'mHa mHartree mEh'],
  [ENERGY, 1, 'J joule joules'],
  [ENERGY, 1e-3, 'mJ'],
  [ENERGY, 1e3, 'kJ'],
  [ENERGY, 1e6, 'MJ'],
  [ENERGY, 1e-7, 'erg ergs'],
  [ENERGY, CALORIE, 'cal calorie calories'],
  [ENERGY, 1e3 * CALORIE, 'kcal'],
  [ENERGY, PLANCK_JOULE_SECOND * 1e12, 'THz'],
  [NUMBER, PER_MOLE, 'mol mole'],
  [LENGTH, ANGSTROM, 'Å A a Ang Angs angstrom angstroms ångström ångströms angstroem'],
  [LENGTH, BOHR, 'bohr bohrs a0 a_0 bohr_radius'],
  [LENGTH, 1e-9, 'nm nanometer nanometre'],
  [LENGTH, 1e-12, 'pm picometer picometre'],
  [LENGTH, 1e-2, 'cm'],
  [LENGTH, 1, 'm meter metre'],
  [MASS, 1e-3, 'g gram grams'],
  [MASS, 1, 'kg kilogram kilograms'],
  [ANGLE, 1, '° deg degree degrees'],
  [ANGLE, 180 / Math.PI, 'rad radian radians'],
  [FORCE, 1, 'N newton newtons'],
  [FORCE, 1e-3, 'mN'],
  [FORCE, 1e-9, 'nN'],
  [FORCE, DYNE, 'dyn dyne dynes'],
  [FORCE, 1e-3 * DYNE, 'mdyn mdyne mdynes'],
  [PRESSURE, 1, 'Pa pascal'],
  [PRESSURE, 1e-3, 'mPa'],
  [PRESSURE, 1e3, 'kPa'],
  [PRESSURE, 1e6, 'MPa'],
  [PRESSURE, 1e9, 'GPa'],
  [PRESSURE, 1e12, 'TPa'],
  [PRESSURE, 1e5, 'bar bars'],
  [PRESSURE, 1e2, 'mbar'],
  [PRESSURE, 1e8, 'kbar kbars kB'],
  [PRESSURE, 1e11, 'Mbar'],
  [PRESSURE, 101_325, 'atm atmosphere atmospheres'],
  [MOMENT, 1, 'uB muB mu_B μB μ_B bohr_magneton bohr_magnetons bohrmagneton bohrmagnetons'],
  [{ atom: 1 }, 1, 'atom atoms at'],
  [{ formula: 1 }, 1, 'formula formula_unit f.u. fu'],
  [{ cell: 1 }, 1, 'cell unitcell unit_cell'],
]

const BY_NAME: ReadonlyMap<string, SizedUnit> = new Map(
  UNITS.flatMap(([dimension, size, names]) => names.split(' ').map((name) => [name, { dimension, size }] as const)),
)

/** Names in any letter case, but for the first letter where that tells milli from mega; of one letter there is one case: M is no metre. */
const BY_SMALL_NAME: ReadonlyMap<string, SizedUnit> = new Map(
  [...BY_NAME].filter(([name]) => name.length > 1).map(([name, unit]) => [smallName(name), unit] as const),
)

function smallName(name: string): string {
  return name.startsWith('M') ? `M${name.slice(1).toLowerCase()}` : name.toLowerCase()
}

/** Wave numbers, by which spectroscopy gives energies. */
const PER_CENTIMETRE: SizedUnit = { dimension: ENERGY, size: PLANCK_JOULE_SECOND * LIGHT_METRE_PER_SECOND * 100 }
const WAVE_NUMBER = /^(?:cm\^?-1|1\/cm|inverse_?cm|invcm)$/i

const LONGEST_NAME = 60
/** A factor of a compound unit: `/Å^3`, `*atom`. */
const FACTOR = /([*/]?)([^*/]+)/g
/** The power behind a name: `^-3`, `3`. */
const POWER = /\^?([-+]?[1-9])$/

/** The value in another unit; null where one of the units is not known, or the two do not measure the same. */
export function convert(value: number, from: string, to: string): number | null {
  if (from === to && unitNamed(from) !== null) return value
  const [given, wanted] = [unitNamed(from), unitNamed(to)]
  if (given === null || wanted === null || !isSame(given.dimension, wanted.dimension)) return null
  if (given.size === wanted.size) return value
  return value * roundedRatio(given.size, wanted.size)
}

/** A ratio without the noise of its last bit: there are 1000 meV in an eV. */
function roundedRatio(size: number, other: number): number {
  return Number((size / other).toPrecision(15))
}

const KNOWN = new Map<string, SizedUnit | null>()
const MOST_KNOWN = 1000

/** The unit of a name, in the spellings of programs and people: `eV/Å^3`, `ev/a**3`, `kJ mol⁻¹`; null where it is not known. */
function unitNamed(name: string): SizedUnit | null {
  if (name.length > LONGEST_NAME) return null
  const known = KNOWN.get(name)
  if (known !== undefined) return known
  const unit = readUnit(name)
  if (KNOWN.size >= MOST_KNOWN) KNOWN.clear()
  KNOWN.set(name, unit)
  return unit
}

function readUnit(name: string): SizedUnit | null {
  const text = plainSpelling(name)
  if (text === '') return null
  let [dimension, size]: [Dimension, number] = [NUMBER, 1]
  for (const [, sign, factor = ''] of withoutWaveNumber(text).matchAll(FACTOR)) {
    const unit = unitOfFactor(factor)
    if (unit === null) return null
    const power = sign === '/' ? -1 : 1
    dimension = product(dimension, unit.dimension, power)
    size *= unit.size ** power
  }
  return FACTORS.test(text) ? { dimension, size } : null
}

/** Names joined by single signs. */
const FACTORS = /^[^*/]+(?:[*/][^*/]+)*$/

function withoutWaveNumber(text: string): string {
  return WAVE_NUMBER.test(text) ? WAVE_NUMBER_NAME : text
}

const WAVE_NUMBER_NAME = 'cm^-1'

/** One spelling of signs: `^` for powers, `*` and `/` between names, no spaces. */
function plainSpelling(name: string): string {
  return name
    .trim()
    .normalize('NFKC')
    .replaceAll('\u2212', '-')
    .replace(/\bbohr mag(?:neton)?s?\b/gi, 'bohr_magneton')
    .replace(/\b(formula|unit) (unit|cell)\b/gi, '$1_$2')
    .replaceAll('**', '^')
    .replace(/ *(?:\bper\b|\/) */g, '/')
    .replace(/ *[\^] */g, '^')
    .replace(/ *[·⋅×*] *| +/g, '*')
    .replace(/\(([^()*/]*)\)/g, '$1')
}

function unitOfFactor(text: string): SizedUnit | null {
  if (text === WAVE_NUMBER_NAME) return PER_CENTIMETRE
  const whole = unitOfWord(text)
  if (whole !== null) return whole
  const power = POWER.exec(text)
  if (power === null) return null
  const unit = unitOfWord(text.slice(0, power.index))
  if (unit === null) return null
  const exponent = Number(power[1])
  return { dimension: product(NUMBER, unit.dimension, exponent), size: unit.size ** exponent }
}

function unitOfWord(word: string): SizedUnit | null {
  return BY_NAME.get(word) ?? BY_SMALL_NAME.get(smallName(word)) ?? null
}

function product(one: Dimension, other: Dimension, power: number): Dimension {
  const entries = new Map(Object.entries(one))
  for (const [name, exponent] of Object.entries(other)) {
    entries.set(name, (entries.get(name) ?? 0) + exponent * power)
  }
  return Object.fromEntries([...entries].filter(([, exponent]) => exponent !== 0))
}

function isSame(one: Dimension, other: Dimension): boolean {
  const names = Object.keys(one)
  return (
    names.length === Object.keys(other).length &&
    Object.entries(one).every(([name, exponent]) =>
      Object.entries(other).some(([n, e]) => n === name && e === exponent),
    )
  )
}
