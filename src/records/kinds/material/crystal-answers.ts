import type { AppError } from '../../../kernel/errors.ts'
import type { Json, JsonObject } from '../../../kernel/json.ts'
import { parametersOf, withinCell } from '../../../structure/cell.ts'
import { mayBeDisordered } from '../../../structure/chemistry/consistency-checks.ts'
import { type Coordination, coordinationOf } from '../../../structure/coordination/coordination.ts'
import type { Crystal } from '../../../structure/crystal.ts'
import { assertDiffracts, type PatternTerms, powderPattern } from '../../../structure/diffraction/powder-pattern.ts'
import { FORMAT_ERRORS, refusal } from '../../../structure/errors.ts'
import { crystalToMaterial } from '../../../structure/formats/json/material.ts'
import { type Matrix3, mapVector } from '../../../structure/linear-algebra.ts'
import { type ReciprocalSpace, reciprocalSpace } from '../../../structure/reciprocal/k-path.ts'
import { orbitsOf } from '../../../structure/symmetry/sites.ts'
import { type StandardCellName, standardCellOf } from '../../../structure/symmetry/standard-cell.ts'
import {
  DEFAULT_TOLERANCE_ANGSTROM,
  type FoundSymmetry,
  SWITCHED_OFF,
  type SymmetryFinder,
  type SymmetryReport,
  type SymmetryTolerance,
} from '../../../structure/symmetry/symmetry-report.ts'
import { ORIGINS_FIELD } from '../../origins.ts'
import { deriveMaterial } from './derive-material.ts'
import { crystalOf, readStructure } from './read-structure.ts'
import { readMaterial, type StructureFile } from './structure-files.ts'
import { compactSymbol, declaredSymmetry } from './symmetry-fields.ts'

/** A powder pattern that is asked for; `radiation` is the name by which the wavelength was asked for. */
export interface DiffractionTerms extends PatternTerms, SymmetryTolerance {
  readonly radiation: string | null
}

/** An analysis that is asked for: in which standard cell the structure is wanted. */
export interface AnalysisTerms extends SymmetryTolerance {
  readonly cell?: StandardCellName | undefined
  /** Whether the atoms are told, so that they can be drawn. */
  readonly basis?: boolean | undefined
}

/** Says of a file's structure what a material made from it would say; nothing is stored. */
export function analyzeStructure(
  file: StructureFile,
  finder: SymmetryFinder | undefined,
  { cell, basis: tellsBasis }: Pick<AnalysisTerms, 'cell' | 'basis'> = {},
): JsonObject {
  let report: SymmetryReport | undefined
  const symmetry: SymmetryFinder | undefined = finder && ((sought, wants) => (report = finder(sought, wants)))
  const { format, crystal, material } = readMaterial(file)
  const declared = crystal.declaredGroup === undefined ? {} : { symmetry: declaredSymmetry(crystal.declaredGroup) }
  // With a file, as the record would be.
  const { basis, lattice, nSites, derivedProperties, consistencyChecks, ...derived } = deriveMaterial(
    { ...material, ...declared, src: {} },
    { symmetry },
  )
  const properties = derivedProperties as readonly JsonObject[]
  const found = properties.find(({ name }) => name === 'symmetry')
  return {
    format,
    name: material.name as Json,
    ...derived,
    sites: nSites as Json,
    lattice: lattice as Json,
    ...(tellsBasis ? drawn(material, basis) : {}),
    elementalRatios: Object.fromEntries(
      properties
        .filter(({ name }) => name === 'elemental_ratio')
        .map(({ element, value }) => [String(element), value as Json]),
    ),
    symmetry: found === undefined ? null : { ...found, ...(derived.symmetry as JsonObject | undefined) },
    ...standardisation(file, report, cell),
    consistencyChecks: consistencyChecks as Json,
    ...(material.source === undefined ? {} : { source: material.source }),
    warnings: crystal.warnings.map((warning) => ({ ...warning })),
  }
}

/** Fields by which a structure is drawn, beside its lattice. */
function drawn({ isNonPeriodic }: JsonObject, basis: unknown): JsonObject {
  return { basis: basis as Json, ...(isNonPeriodic === undefined ? {} : { isNonPeriodic }) }
}

/** The powder pattern of a structure; nothing is stored. */
export function diffractionAnswer(
  file: StructureFile,
  terms: DiffractionTerms,
  finder: SymmetryFinder | undefined,
): JsonObject {
  const { tolerance = DEFAULT_TOLERANCE_ANGSTROM } = terms
  const { crystal, symmetry, name } = symmetryOf(file, finder, (read) => assertDiffracts(read, terms, tolerance))
  const { cell, lattice, peaks } = powderPattern(crystal, symmetry, terms)
  return {
    name,
    radiation: terms.radiation,
    wavelength: terms.wavelength,
    range: { min: terms.min, max: terms.max },
    units: { wavelength: 'angstrom', d: 'angstrom', twoTheta: 'degree' },
    cell,
    lattice: { ...parametersOf(lattice) },
    spaceGroup: spaceGroupOf(symmetry),
    peaks: peaks.map(({ twoTheta, d, intensity, reflections }) => ({
      twoTheta: decimals(twoTheta, 4),
      d: decimals(d, 5),
      intensity: decimals(intensity, 3),
      reflections: reflections as unknown as Json,
    })),
  }
}

const CONVENTION = 'W. Setyawan and S. Curtarolo, Comput. Mater. Sci. 49, 299 (2010)'

/** The Brillouin zone of a structure and the path through it; nothing is stored. */
export function reciprocalAnswer(file: StructureFile, finder: SymmetryFinder | undefined): JsonObject {
  const { symmetry, name } = symmetryOf(file, finder)
  if (symmetry?.status !== 'computed') throw noSymmetry(symmetry)
  const { variation, cell, vectors, zone, points, path } = reciprocalSpace(symmetry)
  return {
    name,
    spaceGroup: spaceGroupOf(symmetry),
    latticeType: symmetry.latticeType,
    variation,
    convention: CONVENTION,
    units: { reciprocal: 'angstrom^-1 with 2 pi', lattice: 'angstrom' },
    primitiveCell: { ...structureOf(cell), ...madeOf(file, 'primitive cell', { convention: CONVENTION }) },
    reciprocalVectors: rowsOf(vectors),
    zone: {
      vertices: zone.vertices.map((vertex) => vertex.map((x) => decimals(x, 6))),
      faces: zone.faces as unknown as Json,
    },
    points: pointsOf(points),
    path: path as unknown as Json,
  }
}

function pointsOf(points: ReciprocalSpace['points']): Json {
  return points.map(({ label, fraction, place }) => ({
    label,
    fraction: fraction.map((x) => decimals(x, 8)),
    place: place.map((x) => decimals(x, 6)),
  }))
}

/** Fields of an analysis that records do not have: the sites by orbit, and on request the crystal in a standard cell. */
function standardisation(
  file: StructureFile,
  report: SymmetryReport | undefined,
  cell: StandardCellName | undefined,
): JsonObject {
  const isFound = report?.status === 'computed'
  return {
    orbits: isFound ? (orbitsOf(report) as unknown as Json) : null,
    ...(cell === undefined ? {} : { standard: isFound ? standardOf(file, report, cell) : null }),
  }
}

function standardOf(file: StructureFile, report: FoundSymmetry, cell: StandardCellName): JsonObject {
  return {
    cell,
    ...structureOf(standardCellOf(report, cell)),
    ...madeOf(file, `${cell} cell`, { tolerance: report.tolerance }),
  }
}

/** What a structure is made from, as a material says it that is made of it; nothing where the file is none of a stored material. */
function madeOf({ of }: StructureFile, how: string, parameters: JsonObject): JsonObject {
  return of === undefined ? {} : { [ORIGINS_FIELD]: [{ _id: of, collection: 'materials', how, parameters }] }
}

/** Basis and lattice as materials have them. */
function structureOf({ lattice, sites }: Pick<Crystal, 'lattice' | 'sites'>): JsonObject {
  const crystal: Crystal = {
    title: '',
    periodic: [true, true, true],
    warnings: [],
    lattice,
    sites: sites.map((site) => ({ ...site, fraction: mapVector(site.fraction, withinCell) })),
  }
  const { basis, lattice: described } = crystalToMaterial(crystal)
  return { nSites: sites.length, basis: basis as Json, lattice: described as Json }
}

interface SoughtSymmetry {
  readonly name: Json
  readonly crystal: Crystal
  readonly symmetry: SymmetryReport | undefined
}

/**
 * The crystal as records have it, so that a stored material and the file that it came from say the same. What is refused whatever its symmetry is,
 * `judge` refuses before that is sought.
 */
function symmetryOf(
  file: StructureFile,
  finder: SymmetryFinder | undefined,
  judge: (crystal: Crystal) => void = () => {},
): SoughtSymmetry {
  const { material } = readMaterial(file)
  const crystal = crystalOf(readStructure(material))
  judge(crystal)
  return { name: material.name as Json, crystal, symmetry: finder?.(crystal) }
}

function noSymmetry(report: Exclude<SymmetryReport, FoundSymmetry> | undefined): AppError {
  const reason = report?.reason ?? SWITCHED_OFF
  const message = `The Brillouin zone follows from the symmetry, which was not computed: ${reason}.`
  return refusal(FORMAT_ERRORS.noSymmetry, message)
}

/** Space group of an answer; null where it is not known. */
function spaceGroupOf(report: SymmetryReport | undefined): JsonObject | null {
  return report?.status === 'computed'
    ? { number: report.number, symbol: compactSymbol(report.symbol), tolerance: report.tolerance }
    : null
}

function rowsOf(rows: Matrix3): Json {
  return rows.map((row) => row.map((x) => decimals(x, 8)))
}

/** A number with so many decimals at most; never minus zero. */
function decimals(value: number, count: number): number {
  return Number(value.toFixed(count)) + 0
}

/** Coordination numbers and bonds of a structure, by orbit where its symmetry is known; nothing is stored. */
export function coordinationAnswer(file: StructureFile, finder: SymmetryFinder | undefined): JsonObject {
  const { crystal, symmetry, name } = symmetryOf(file, finder)
  const equivalentTo = symmetry?.status === 'computed' ? symmetry.equivalentTo : crystal.sites.map((_, site) => site)
  const positions = positionsOf(symmetry)
  const elementOf = (site: number): string => crystal.sites[site]?.element ?? ''
  return {
    name,
    spaceGroup: spaceGroupOf(symmetry),
    method: 'CrystalNN, N. E. R. Zimmermann and A. Jain, RSC Adv. 10, 6063 (2020)',
    units: { length: 'angstrom' },
    ofMostFrequent: mayBeDisordered(crystal.sites),
    sites: coordinationOf(crystal, equivalentTo).map((one) => ({
      element: one.element,
      sites: one.sites as Json,
      wyckoffPosition: positions.get(one.sites[0] ?? -1) ?? null,
      coordinationNumber: one.bonded.length,
      likelihood: decimals(one.likelihood, 3),
      bondLengths: lengthsOf(one.bonded),
      neighbours: neighboursOf(one, elementOf),
      bonds: one.bonded.map(({ site, image, distance }) => ({
        site,
        element: elementOf(site),
        image: image.map((n) => n + 0),
        length: decimals(distance, 4),
      })),
    })),
  }
}

/** `8c`, by the first site of each orbit. */
function positionsOf(symmetry: SymmetryReport | undefined): ReadonlyMap<number, string> {
  if (symmetry?.status !== 'computed') return new Map()
  return new Map(
    orbitsOf(symmetry).map(({ sites, multiplicity, wyckoffLetter }) => [
      sites[0] ?? -1,
      `${multiplicity}${wyckoffLetter}`,
    ]),
  )
}

function neighboursOf({ bonded }: Coordination, elementOf: (site: number) => string): Json {
  const byElement = new Map<string, Coordination['bonded']>()
  for (const one of bonded) {
    const element = elementOf(one.site)
    byElement.set(element, [...(byElement.get(element) ?? []), one])
  }
  return [...byElement].map(([element, some]) => ({ element, count: some.length, bondLengths: lengthsOf(some) }))
}

/** In Å; null without a bond. */
function lengthsOf(bonded: Coordination['bonded']): Json {
  if (bonded.length === 0) return null
  const lengths = bonded.map(({ distance }) => distance)
  const mean = lengths.reduce((sum, length) => sum + length, 0) / lengths.length
  return { min: decimals(Math.min(...lengths), 4), mean: decimals(mean, 4), max: decimals(Math.max(...lengths), 4) }
}
