import { isJsonObject, type Json, type JsonObject, ownField } from '../kernel/json.ts'
import { type MaterialStructure, readStructure } from '../records/kinds/material/read-structure.ts'
import { elementRatios } from '../structure/chemistry/formula-forms.ts'
import { type Crystal, type Site, toCartesian } from '../structure/crystal.ts'
import { directionsOf, entriesOf } from '../structure/formats/json/material-extras.ts'
import { type OptimadeSites, optimadeSites } from '../structure/formats/json/optimade-species.ts'
import { countAtoms } from '../structure/formula.ts'
import type { Matrix3, Vector3 } from '../structure/linear-algebra.ts'

/** A material that has been stored, as the properties of an OPTIMADE structure are read from it: each part when it is asked for. */
export class StructureSource {
  readonly #document: JsonObject
  #structure: MaterialStructure | undefined
  #sites: OptimadeSites | undefined
  #ratios: ReadonlyMap<string, number> | undefined

  constructor(document: JsonObject) {
    this.#document = document
  }

  /** Reads a field of the record by its dotted path; null where there is none. */
  field(path: string): Json {
    let value: Json = this.#document
    for (const part of path.split('.')) value = (isJsonObject(value) ? ownField(value, part) : undefined) ?? null
    return value
  }

  /** What is known of the space group beside its number. */
  get symmetry(): JsonObject {
    return entriesOf(this.#document, 'derivedProperties').find(({ name }) => name === 'symmetry') ?? {}
  }

  /** Lattice vectors as rows, in Å. */
  get vectors(): Matrix3 {
    return this.#read.vectors
  }

  /** Along which lattice vectors the structure repeats. */
  get periodic(): Crystal['periodic'] {
    return directionsOf(this.#document)
  }

  /** Species, groups of sites, moments. */
  get sites(): OptimadeSites {
    const { vectors, periodic, sites } = this.#read
    this.#sites ??= optimadeSites({ lattice: vectors, periodic, sites }, speciesName)
    return this.#sites
  }

  /** Cartesian places of the sites, in Å. */
  get positions(): readonly Vector3[] {
    return toCartesian(this.sites.fractions, this.vectors)
  }

  /** The share of each element among the atoms, by symbol. */
  get ratios(): ReadonlyMap<string, number> {
    this.#ratios ??= elementRatios(countAtoms(this.#read.sites))
    return this.#ratios
  }

  /** Lists and units have been checked when it was stored. */
  get #read(): MaterialStructure {
    this.#structure ??= readStructure(this.#document)
    return this.#structure
  }
}

/** The symbol, as the specification advises; a hyphen before a label keeps `C` with the label `o` apart from cobalt. */
function speciesName({ element, label }: Site): string {
  return label === '' ? element : `${element}-${label}`
}
