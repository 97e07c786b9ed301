import { type JsonObject, ownField } from '../../../kernel/json.ts'
import { type Warning, warning } from '../../../kernel/warnings.ts'
import {
  BONDED_SHARE,
  type ClosestPair,
  contentsOf,
  isLoose,
  LARGEST_DENSITY,
  mayBeSolid,
  nearestWhenPlausible,
} from '../../../structure/chemistry/consistency-checks.ts'
import { type Crystal, toCartesian, toCrystal } from '../../../structure/crystal.ts'
import { angleUnitOf, isCartesian, lengthUnitOf } from '../../../structure/formats/json/material-lattice.ts'
import { ANGSTROM_PER_BOHR, angstromsIn } from '../../../structure/lattice.ts'
import { scale } from '../../../structure/linear-algebra.ts'
import { anglesOf, meet, objectField, readStructure } from './read-structure.ts'
import { MATERIAL_WARNINGS } from './warnings.ts'

/** Oddity of a material as a whole, with the unit that was probably meant. */
export interface Implausibility extends Warning {
  /** `info` where nothing tells what would be right. */
  readonly severity: 'info' | 'warning' | 'error'
}

/** Beyond this many atoms no other unit is tried. */
const MOST_SITES = 2000

/** Finds in a material what no solid is like, which is refused for none; names a unit where that makes all of it plausible. */
export function implausibilitiesOf(
  document: JsonObject,
  crystal: Crystal,
  isTooClose: boolean,
): readonly Implausibility[] {
  const lattice = ownField(document, 'lattice') as JsonObject
  if (areRadians(lattice)) return [OF_RADIANS]
  const { filling, density } = contentsOf(crystal)
  const isDense = crystal.periodic.every(Boolean) && density > LARGEST_DENSITY
  const isOdd = isTooClose || isDense || isLoose(crystal, filling)
  if (crystal.sites.length <= MOST_SITES) {
    const meant =
      coordinatesMeant(document, crystal, isTooClose) ?? (isOdd ? lengthsMeant(lattice, crystal) : undefined)
    if (meant !== undefined) return [meant]
  }
  if (isDense) return [tooDense(density)]
  return isOdd && !isTooClose ? [ALL_APART] : []
}

/** Smallest and largest angle that radians of a cell have. */
const [LEAST_RADIANS, MOST_RADIANS] = [0.2, Math.PI]

function areRadians(lattice: JsonObject): boolean {
  const given = anglesOf(lattice)
  return (
    angleUnitOf(lattice) === 'degree' &&
    given.every((x) => x > LEAST_RADIANS && x < MOST_RADIANS) &&
    meet(given, 'radian')
  )
}

const OF_RADIANS: Implausibility = {
  ...warning(
    MATERIAL_WARNINGS.angleUnit,
    'lattice.alpha',
    'All angles of the cell are below 4 degrees.',
    'If they are radians, say so: lattice.units.angle is "radian".',
  ),
  severity: 'warning',
}

const ALL_APART: Implausibility = {
  ...warning(
    MATERIAL_WARNINGS.apart,
    'lattice.a',
    `No two atoms are nearer than ${BONDED_SHARE} times the sum of their covalent radii.`,
  ),
  severity: 'info',
}

function tooDense(density: number): Implausibility {
  const message = `The density is ${density.toPrecision(3)} g/cm³; no solid has more than ${LARGEST_DENSITY}.`
  return { ...warning(MATERIAL_WARNINGS.density, 'density', message), severity: 'error' }
}

interface OtherUnit {
  readonly name: string
  readonly angstroms: number
  readonly hint: string
}

const BOHR: OtherUnit = {
  name: 'bohr',
  angstroms: ANGSTROM_PER_BOHR,
  hint: 'If they are in bohr, say so: lattice.units.length is "bohr".',
}
const ANGSTROM: OtherUnit = {
  name: 'ångström',
  angstroms: 1,
  hint: 'If they are in ångström, leave lattice.units.length out.',
}
const OTHER_UNITS: readonly OtherUnit[] = [
  {
    name: 'picometre',
    angstroms: 0.01,
    hint: 'If they are in picometres, divide them by 100: lengths are in ångström.',
  },
  {
    name: 'nanometre',
    angstroms: 10,
    hint: 'If they are in nanometres, multiply them by 10: lengths are in ångström.',
  },
]

/** The unit of length in which everything is plausible. */
function lengthsMeant(lattice: JsonObject, crystal: Crystal): Implausibility | undefined {
  const unit = lengthUnitOf(lattice)
  const lengths = (['a', 'b', 'c'] as const).map((edge) => ownField(lattice, edge)).join(', ')
  const meant = ({ hint }: OtherUnit, told: string): Implausibility => ({
    ...warning(MATERIAL_WARNINGS.lengthUnit, 'lattice.a', `With the lengths ${lengths} ${told}`, hint),
    severity: 'warning',
  })
  const inOther = ({ angstroms }: OtherUnit): [Crystal, number] => {
    const factor = angstroms / angstromsIn(unit)
    const [a, b, c] = crystal.lattice
    return [{ ...crystal, lattice: [scale(a, factor), scale(b, factor), scale(c, factor)] }, factor]
  }
  for (const other of [unit === 'bohr' ? ANGSTROM : BOHR, ...OTHER_UNITS]) {
    const [read, factor] = inOther(other)
    const nearest = nearestWhenPlausible(read)
    if (nearest === undefined) continue
    const words = `the nearest atoms are ${inWords(nearest, factor)}; in ${other.name} they would be ${inWords(nearest, 1)}.`
    return meant(other, words)
  }
  // Few atoms in a cell: nothing is bonded in any unit. Those that are far from each other have contents to tell by.
  for (const other of OTHER_UNITS) {
    const [read] = inOther(other)
    if (!mayBeSolid(read)) continue
    const print = (of: Crystal): string => String(Number(contentsOf(of).density.toPrecision(3)))
    return meant(other, `the density is ${print(crystal)} g/cm³; in ${other.name} it would be ${print(read)}.`)
  }
  return undefined
}

/** `4.44 Å apart, 2.00 times the sum of their covalent radii`, of atoms in a unit that is so many times smaller. */
function inWords({ distance, share }: ClosestPair, factor: number): string {
  const print = (value: number): string => String(Number((value / factor).toPrecision(3)))
  return `${print(distance)} Å apart, ${print(share)} times the sum of their covalent radii`
}

/** Fractions beyond the first are odd where atoms are too close to each other, beyond the second in any case. */
const [OUTSIDE, FAR_OUTSIDE] = [1.2, 2]
/** Numbers of atoms in the cell, but for those that were moved a little over a border. */
const [LOWEST, HIGHEST] = [-0.1, 1.1]

/** Says so when coordinates are plausible as what they are not said to be. */
function coordinatesMeant(document: JsonObject, crystal: Crystal, isTooClose: boolean): Implausibility | undefined {
  const cartesian = isCartesian(objectField(document, 'basis'))
  if (cartesian ? !isTooClose : !goesBeyond(crystal, isTooClose ? OUTSIDE : FAR_OUTSIDE)) return undefined
  const { vectors, sites } = readStructure(document)
  const angstroms = angstromsIn(lengthUnitOf(ownField(document, 'lattice') as JsonObject))
  const fractions = sites.map(({ fraction }) => fraction)
  const others = cartesian
    ? toCartesian(fractions, vectors).map((place) => scale(place, 1 / angstroms))
    : toCrystal(
        fractions.map((given) => scale(given, angstroms)),
        vectors,
      )
  if (!others.every((place) => place.every((x) => x >= LOWEST && x <= HIGHEST))) return undefined
  const nearest = nearestWhenPlausible({
    ...crystal,
    sites: crystal.sites.map((site, index) => ({ ...site, fraction: others[index] ?? site.fraction })),
  })
  if (nearest === undefined) return undefined
  const [path, severity] = ['basis.units', 'warning'] as const
  return cartesian
    ? {
        ...warning(
          MATERIAL_WARNINGS.coordinateUnits,
          path,
          AS_FRACTIONS,
          `If they are fractions, say so: basis.units is "crystal".`,
        ),
        severity,
      }
    : {
        ...warning(
          MATERIAL_WARNINGS.coordinateUnits,
          path,
          AS_CARTESIAN,
          `If they are Cartesian, say so: basis.units is "cartesian".`,
        ),
        severity,
      }
}

const AS_FRACTIONS =
  'The coordinates are said to be Cartesian, where atoms are too close to each other; as fractions of the lattice vectors they are plausible.'
const AS_CARTESIAN =
  'The coordinates are said to be fractions and go far beyond the cell; as Cartesian ones they are plausible and within it.'

function goesBeyond({ sites }: Crystal, most: number): boolean {
  return sites.some(({ fraction: [x, y, z] }) => Math.max(Math.abs(x), Math.abs(y), Math.abs(z)) > most)
}
