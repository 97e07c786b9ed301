import type { Json, JsonObject } from '../../kernel/json.ts'
import type { SymmetryFinder } from '../../structure/symmetry/symmetry-report.ts'
import { deriveMaterial } from '../kinds/material/derive-material.ts'
import { readMaterial } from './read-material.ts'
import type { StructureFile } from './structure-file.ts'

/** Says of a file's structure what a material made from it would say; nothing is stored. */
export function analyzeStructure(file: StructureFile, symmetry: SymmetryFinder | undefined): JsonObject {
  const { format, crystal, material } = readMaterial(file)
  const { basis, lattice, nSites, derivedProperties, consistencyChecks, ...derived } = deriveMaterial(material, {
    symmetry,
  })
  const properties = derivedProperties as readonly JsonObject[]
  return {
    format,
    name: material.name as Json,
    ...derived,
    sites: nSites as Json,
    lattice: lattice as Json,
    elementalRatios: Object.fromEntries(
      properties
        .filter(({ name }) => name === 'elemental_ratio')
        .map(({ element, value }) => [String(element), value as Json]),
    ),
    symmetry: properties.find(({ name }) => name === 'symmetry') ?? null,
    consistencyChecks: consistencyChecks as Json,
    warnings: crystal.warnings.map((warning) => ({ ...warning })),
  }
}
