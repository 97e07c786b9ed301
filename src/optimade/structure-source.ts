import { isJsonObject, type Json, type JsonBytes, type JsonObject, ownField } from '../kernel/json.ts'
import type { JsonFields, NestedName } from '../kernel/json-fields.ts'
import { type MaterialStructure, readStructure } from '../records/kinds/material/read-structure.ts'
import { elementRatios } from '../structure/chemistry/formula-forms.ts'
import { type Crystal, type Site, toCartesian } from '../structure/crystal.ts'
import { directionsOf, entriesOf } from '../structure/formats/json/material-extras.ts'
import { type OptimadeSites, optimadeSites } from '../structure/formats/json/optimade-species.ts'
import { countAtoms } from '../structure/formula.ts'
import type { Matrix3, Vector3 } from '../structure/linear-algebra.ts'

/** Fields that tell in which directions a structure repeats. */
export const DIRECTION_FIELDS: readonly string[] = ['isNonPeriodic', 'periodicDirections']
/** Fields that tell cell and sites. */
export const STRUCTURE_FIELDS: readonly string[] = ['basis', 'lattice', ...DIRECTION_FIELDS]

/** A material that has been stored, as the properties of an OPTIMADE structure are read from it: each part when it is asked for. */
export class StructureSource {
  readonly #fields: JsonFields
  #same: readonly string[] | null = null
  #periodic: Crystal['periodic'] | undefined
  #structure: MaterialStructure | undefined
  #sites: OptimadeSites | undefined
  #ratios: ReadonlyMap<string, number> | undefined

  constructor(fields: JsonFields) {
    this.#fields = fields
  }

  get id(): string {
    return String(this.#fields.value('_id'))
  }

  /** Reads a field of the record by its dotted path; null where there is none. */
  field(path: string): Json {
    const [first = '', ...rest] = path.split('.')
    let value = this.#fields.value(first) ?? null
    for (const part of rest) value = (isJsonObject(value) ? ownField(value, part) : undefined) ?? null
    return value
  }

  /** Writes a field of the record as it stands there. */
  copy(path: NestedName, out: JsonBytes): void {
    this.#fields.copy(path, out)
  }

  /** The ids of the structures that are the same crystal, once they have been sought; null where none can be. */
  get same(): readonly string[] | null {
    return this.#same
  }

  noteSame(ids: readonly string[]): void {
    this.#same = ids
  }

  /** What is known of the space group beside its number. */
  get symmetry(): JsonObject {
    return (
      entriesOf(this.#parsed(['derivedProperties']), 'derivedProperties').find(({ name }) => name === 'symmetry') ?? {}
    )
  }

  /** Lattice vectors as rows, in Å. */
  get vectors(): Matrix3 {
    return this.#read.vectors
  }

  /** Along which lattice vectors the structure repeats. */
  get periodic(): Crystal['periodic'] {
    this.#periodic ??= directionsOf(this.#parsed(DIRECTION_FIELDS))
    return this.#periodic
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
    this.#structure ??= readStructure(this.#parsed(STRUCTURE_FIELDS))
    return this.#structure
  }

  /** The record as far as it has these fields. */
  #parsed(names: readonly string[]): JsonObject {
    const document: Record<string, Json> = {}
    for (const name of names) {
      const value = this.#fields.value(name)
      if (value !== undefined) document[name] = value
    }
    return document
  }
}

/** The symbol, as the specification advises; a hyphen before a label keeps `C` with the label `o` apart from cobalt. */
function speciesName({ element, label }: Site): string {
  return label === '' ? element : `${element}-${label}`
}
