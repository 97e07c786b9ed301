import { isJsonObject, type Json, type JsonObject, ownField } from '../../../kernel/json.ts'
import { countElements, reducedFormula, unitCellFormula } from '../../../structure/formula.ts'
import { moleculeHash, scaledStructureHash, structureHash } from '../../../structure/structure-hash.ts'
import { angstromsIn } from '../../../structure/units.ts'
import { type Matrix3, scale, type Vector3 } from '../../../structure/vector.ts'
import { computedProperties, keptProperties } from './derived-properties.ts'
import { agreeingVectors, lengthUnitOf, readStructure, type Structure } from './read-structure.ts'

/** Computes the fields of a material that follow from its basis and lattice. */
export function deriveMaterial(document: JsonObject): JsonObject {
  const structure = readStructure(document)
  const counts = countElements(structure.sites.map((site) => site.element))
  const isNonPeriodic = ownField(document, 'isNonPeriodic') === true
  const given = keptProperties(ownField(document, 'derivedProperties'))
  return {
    formula: reducedFormula(counts),
    unitCellFormula: unitCellFormula(counts),
    ...hashes(structure, isNonPeriodic ? inchiOf(given) : null),
    basis: withUnits(ownField(document, 'basis') as JsonObject),
    lattice: withVectors(ownField(document, 'lattice') as JsonObject, structure.vectors),
    isNonPeriodic,
    derivedProperties: [...computedProperties(structure.cell, counts, isNonPeriodic), ...given],
    consistencyChecks: [],
  }
}

/** A molecule goes by its InChI, since its box means nothing; one that has none goes by its box and sites. */
function hashes({ cell, sites }: Structure, inchi: string | null): JsonObject {
  if (inchi !== null) return { hash: moleculeHash(inchi), scaledHash: moleculeHash(inchi) }
  return { hash: structureHash(cell, sites), scaledHash: scaledStructureHash(cell, sites) }
}

function inchiOf(properties: readonly Json[]): string | null {
  const inchi = properties.filter(isJsonObject).find((property) => ownField(property, 'name') === 'inchi')
  const value = inchi === undefined ? undefined : ownField(inchi, 'value')
  return typeof value === 'string' ? value : null
}

function withUnits(basis: JsonObject): JsonObject {
  return withDefaults(basis, { units: 'crystal' })
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
