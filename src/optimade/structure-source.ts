import { isJsonObject, type Json, type JsonObject, ownField } from '../kernel/json.ts'
import { readStructure } from '../records/kinds/material/read-structure.ts'
import { elementRatios } from '../structure/chemistry/formula-forms.ts'
import { type Crystal, type Site, toCartesian } from '../structure/crystal.ts'
import { type OptimadeSites, optimadeSites } from '../structure/formats/json/optimade-species.ts'
import { countAtoms, type ElementCounts } from '../structure/formula.ts'
import type { Matrix3, Vector3 } from '../structure/linear-algebra.ts'

/** A material as the properties of an OPTIMADE structure are computed from it. */
export interface StructureSource {
  readonly document: JsonObject
  /** Lattice vectors as rows, in Å. */
  readonly vectors: Matrix3
  /** Cartesian, in Å. */
  readonly positions: readonly Vector3[]
  /** Species, groups of sites, moments. */
  readonly sites: OptimadeSites
  readonly counts: ElementCounts
  /** The share of each element among the atoms, by symbol. */
  readonly ratios: ReadonlyMap<string, number>
  /** Along which lattice vectors the structure repeats. */
  readonly periodic: Crystal['periodic']
}

/** Reads a material that has been stored; its lists and units have been checked then. */
export function structureSource(document: JsonObject): StructureSource {
  const { vectors, sites, periodic } = readStructure(document)
  const told = optimadeSites({ lattice: vectors, periodic, sites }, speciesName)
  const counts = countAtoms(sites)
  return {
    document,
    vectors,
    positions: toCartesian(told.fractions, vectors),
    sites: told,
    counts,
    ratios: elementRatios(counts),
    periodic,
  }
}

/** Reads a field of the record by its dotted path; null where there is none. */
export function recordField({ document }: StructureSource, path: string): Json {
  let value: Json = document
  for (const part of path.split('.')) value = (isJsonObject(value) ? ownField(value, part) : undefined) ?? null
  return value
}

/** The symbol, as the specification advises; a hyphen before a label keeps `C` with the label `o` apart from cobalt. */
function speciesName({ element, label }: Site): string {
  return label === '' ? element : `${element}-${label}`
}
