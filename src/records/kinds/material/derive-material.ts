import { vectorText } from '../../../kernel/bytes.ts'
import { isJsonObject, type Json, type JsonObject, ownField } from '../../../kernel/json.ts'
import { elementClassesOf } from '../../../page/elements.ts'
import { anonymousFormula } from '../../../page/formula-spelling.ts'
import { ionText } from '../../../page/ion-text.ts'
import { disorderKinds, mayBeDisordered } from '../../../structure/chemistry/consistency-checks.ts'
import { alphabeticalReducedFormula, chemicalSystem, hillFormula } from '../../../structure/chemistry/formula-forms.ts'
import type { Crystal } from '../../../structure/crystal.ts'
import { agreeingVectors, lengthUnitOf } from '../../../structure/formats/json/material-lattice.ts'
import { optimadeSites } from '../../../structure/formats/json/optimade-species.ts'
import { countAtoms, type ElementCounts, massOf, reducedFormula, unitCellFormula } from '../../../structure/formula.ts'
import { angstromsIn, type LatticeType } from '../../../structure/lattice.ts'
import { type Matrix3, scale, type Vector3 } from '../../../structure/linear-algebra.ts'
import { fingerprintOf } from '../../../structure/matching/fingerprint.ts'
import { prototypeOf } from '../../../structure/matching/prototype.ts'
import { magneticHash, moleculeHash, structureHashes } from '../../../structure/structure-hash.ts'
import { latticeTypeOfVectors } from '../../../structure/symmetry/lattice-type.ts'
import type { FoundSymmetry, KnownGroup } from '../../../structure/symmetry/symmetry-report.ts'
import type { DeriveDeps } from '../../record-kind.ts'
import { findingsOf } from './findings.ts'
import { crystalOf, type MaterialStructure, readStructure } from './read-structure.ts'
import {
  checkDeclared,
  computedProperties,
  declaredGroupOf,
  isSameStructure,
  keptProperties,
  keptSymmetry,
  lacksParts,
  type SymmetryFields,
  symmetryFields,
} from './symmetry-fields.ts'

/** The fields that `deriveMaterial` writes and nobody else. */
export const DERIVED_FIELDS: readonly string[] = (
  'formula unitCellFormula hash scaledHash magneticHash elements nElements elementClasses oxidationStates ' +
  'nSites structureFeatures composition isDisordered disorderKinds chemicalSystem anonymousFormula formulaReduced ' +
  'formulaHill formulaAnonymous volume density volumePerAtom fingerprint prototype spaceGroup symmetry ' +
  'derivedProperties consistencyChecks properties'
).split(' ')

/** Computes the fields of a material that follow from its basis and lattice. */
export function deriveMaterial(
  document: JsonObject,
  { symmetry, symmetryTimeMs = 0, stored }: DeriveDeps = {},
): JsonObject {
  const structure = readStructure(document)
  const isNonPeriodic = ownField(document, 'isNonPeriodic') === true
  const crystal = crystalOf(structure)
  const kept = keptSymmetry(stored, document, symmetry === undefined ? null : symmetryTimeMs)
  const sought =
    kept === null || (symmetry !== undefined && lacksParts(kept))
      ? symmetryFields(symmetry?.(crystal, { ladder: true }), isNonPeriodic)
      : kept
  // Known symmetry is kept where the search for more is given up.
  const found = sought.spaceGroup === null && kept !== null ? kept : sought
  const isOther = stored !== undefined && !isSameStructure(stored, document)
  const likeness = likenessFields(crystal, found)
  const declared = declaredGroupOf(document, isOther ? null : stored)
  const counts = countAtoms(structure.sites)
  const contents = { counts, mass: massOf(structure.sites) }
  const properties = computedProperties(structure.cell, contents, structure.periodic.every(Boolean))
  const kinds = disorderKinds(crystal)
  const given = keptProperties(ownField(document, 'derivedProperties'))
  const names = hashes(structure, isNonPeriodic ? inchiOf(given) : null)
  const lattice = ownField(document, 'lattice') as JsonObject
  // For a cell of which the client names no type: the crystal's where it is known, else that of its vectors.
  const type =
    (ownField(lattice, 'type') as LatticeType | undefined) ??
    found.latticeType ??
    latticeTypeOfVectors(structure.vectors)
  return {
    formula: reducedFormula(counts),
    unitCellFormula: unitCellFormula(counts),
    ...names,
    ...(isMagnetic(structure) ? { magneticHash: magneticHash(String(names.hash), structure.sites) } : {}),
    elements: [...counts.keys()].sort(),
    nElements: counts.size,
    elementClasses: elementClassesOf([...counts.keys()]),
    ...oxidationStates(structure.sites),
    ...siteFields(structure),
    composition: Object.fromEntries([...counts].map(([element, count]) => [element, Math.round(count * 1e4) / 1e4])),
    isDisordered: kinds.length > 0,
    disorderKinds: [...kinds],
    chemicalSystem: chemicalSystem(counts),
    anonymousFormula: anonymousFormula(counts),
    ...formulasInOrder(counts),
    ...flatProperties(properties, counts),
    ...likeness,
    ...(found.spaceGroup === null ? {} : { spaceGroup: found.spaceGroup }),
    ...symmetryField(found, declared),
    basis: withDefaults(ownField(document, 'basis') as JsonObject, { units: 'crystal' }),
    lattice: withVectors(withDefaults(lattice, { type }), structure.vectors),
    isNonPeriodic,
    derivedProperties: [...properties, ...found.properties, ...given],
    consistencyChecks: [...findingsOf(document, crystal, type, found), ...checkDeclared(declared, found.spaceGroup)],
  }
}

/** The number of sites, and what is special about them in the words of OPTIMADE, where anything is. */
function siteFields({ vectors, periodic, sites }: MaterialStructure): JsonObject {
  if (!mayBeDisordered(sites)) return { nSites: sites.length }
  const { fractions, features } = optimadeSites({ lattice: vectors, periodic, sites })
  return { nSites: fractions.length, ...(features.length === 0 ? {} : { structureFeatures: features }) }
}

/** Each element with each of its oxidation states, where any are told. */
function oxidationStates(sites: MaterialStructure['sites']): JsonObject {
  const ions = sites.flatMap(({ element, oxidationState }) =>
    oxidationState === undefined ? [] : [ionText(element, oxidationState)],
  )
  return ions.length === 0 ? {} : { oxidationStates: [...new Set(ions)].sort() }
}

/** Rest of the symmetry: within other tolerances, and as the file says. */
function symmetryField({ ladder }: SymmetryFields, declared: JsonObject | undefined): JsonObject {
  const symmetry = { ...ladder, ...(declared === undefined ? {} : { declared }) }
  return Object.keys(symmetry).length === 0 ? {} : { symmetry }
}

/** The formulas of other databases, each in one order of the elements. */
function formulasInOrder(counts: ElementCounts): JsonObject {
  return {
    formulaReduced: alphabeticalReducedFormula(counts),
    formulaHill: hillFormula(counts),
    formulaAnonymous: anonymousFormula(counts),
  }
}

/** Properties as fields of their own, for queries by number. */
function flatProperties(properties: readonly JsonObject[], counts: ElementCounts): JsonObject {
  const numberOf = (name: string): number | undefined =>
    properties.find((property) => property.name === name)?.value as number | undefined
  const [volume, density] = [numberOf('volume'), numberOf('density')]
  if (volume === undefined || density === undefined) return {}
  const atoms = [...counts.values()].reduce((sum, count) => sum + count, 0)
  return { volume, density, volumePerAtom: Math.round((volume / atoms) * 1e6) / 1e6 }
}

/** Fingerprint and prototype; none without repetition in all three directions, where neighbours mean nothing. */
function likenessFields(crystal: Crystal, { report, prototype }: SymmetryFields): JsonObject {
  const numbers = crystal.periodic.every(Boolean) ? fingerprintOf(crystal) : null
  if (numbers === null) return {}
  const kind = report === undefined ? prototype : prototypeField(report, numbers)
  return { fingerprint: vectorText(numbers), ...(kind === undefined ? {} : { prototype: kind }) }
}

function prototypeField(symmetry: FoundSymmetry | KnownGroup, numbers: Uint16Array): JsonObject | undefined {
  const found = prototypeOf(symmetry, numbers)
  if (found === null) return undefined
  const { label, pearson, named } = found
  const { name = null, aflow = null, strukturbericht = null } = named ?? {}
  return { label, pearson, name, aflow, strukturbericht }
}

function isMagnetic({ sites }: MaterialStructure): boolean {
  return sites.some(({ moment }) => moment?.some((component) => component !== 0))
}

/** A molecule goes by its InChI, since its box means nothing; one that has none goes by its box and sites. */
function hashes({ cell, sites }: MaterialStructure, inchi: string | null): JsonObject {
  if (inchi !== null) return { hash: moleculeHash(inchi), scaledHash: moleculeHash(inchi) }
  return structureHashes(cell, sites)
}

function inchiOf(properties: readonly Json[]): string | null {
  const inchi = properties.filter(isJsonObject).find((property) => ownField(property, 'name') === 'inchi')
  const value = inchi === undefined ? undefined : ownField(inchi, 'value')
  return typeof value === 'string' ? value : null
}

/** Missing fields come last, so that what a client sends back keeps its order and its text. */
function withDefaults(given: JsonObject | undefined, defaults: JsonObject): JsonObject {
  return { ...given, ...defaults, ...given }
}

function withVectors(lattice: JsonObject, vectors: Matrix3): JsonObject {
  const units = withDefaults(ownField(lattice, 'units') as JsonObject | undefined, {
    length: 'angstrom',
    angle: 'degree',
  })
  const length = lengthUnitOf(lattice)
  const given = ownField(lattice, 'vectors')
  if (isJsonObject(given) && agreeingVectors(lattice) !== null) {
    return { ...lattice, units, vectors: withDefaults(given, { alat: 1, units: length }) }
  }
  const [a, b, c] = vectors.map((vector) => sixDecimals(scale(vector, 1 / angstromsIn(length))))
  return { ...lattice, units, vectors: { a, b, c, alat: 1, units: length } as JsonObject }
}

function sixDecimals(vector: Vector3): readonly number[] {
  return vector.map((component) => Math.round(component * 1e6) / 1e6 + 0)
}
