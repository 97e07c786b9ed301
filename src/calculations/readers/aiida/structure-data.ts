import { isJsonArray, isJsonObject, type Json, type JsonObject, ownField } from '../../../kernel/json.ts'
import { completeCell, fractionsOf } from '../../../structure/cell.ts'
import type { Crystal, CrystalSite, StructureWarning } from '../../../structure/crystal.ts'
import { isWhole, readShare } from '../../../structure/formats/common/species.ts'
import { withSpeciesTags } from '../../../structure/formats/common/species-labels.ts'
import { SpeciesNames } from '../../../structure/formats/common/species-names.ts'
import { requireAtoms, requireFewAtoms } from '../../../structure/formats/common/text.ts'
import {
  asMatrix,
  asVector,
  listField,
  restOf,
  takeWhole,
  textField,
  wrongField,
} from '../../../structure/formats/json/json-fields.ts'
import type { Vector3 } from '../../../structure/linear-algebra.ts'
import type { OutputLimits } from '../../calculation.ts'

type KindOccupant = Omit<CrystalSite, 'fraction'>

/** Reads the attributes of a `StructureData`: a cell, kinds of atoms with their symbols and weights, and sites of these kinds, in Å. */
export function readStructureData(attributes: JsonObject, title: string, { atoms }: OutputLimits): Crystal {
  const names = new SpeciesNames('Use the symbol of an element, such as Si.')
  const sites = listField(attributes, 'sites', '')
  requireFewAtoms(sites.length, { limits: { atoms, textLength: Number.POSITIVE_INFINITY } })
  const kinds = readKinds(attributes, names)
  const placed = sites.map((site, index) => {
    const path = `sites[${index}]`
    if (!isJsonObject(site)) throw wrongField(path, site, 'an object')
    const name = textField(site, 'kind_name')
    const occupants = name === undefined ? undefined : kinds.get(name)
    if (occupants === undefined)
      throw wrongField(`${path}.kind_name`, ownField(site, 'kind_name'), 'the name of a kind')
    return { occupants, place: asVector(takeWhole(site, 'position'), `${path}.position`) }
  })
  const places = placed.map(({ place }) => place)
  const periodic = [1, 2, 3].map((axis) => takeWhole(attributes, `pbc${axis}`) !== false)
  const [alongA = true, alongB = true, alongC = true] = periodic
  const lattice = readCell(attributes, [alongA, alongB, alongC], places)
  const fractions = fractionsOf(places, lattice)
  const warnings: StructureWarning[] = [...names.warnings]
  const all = placed.flatMap(({ occupants }, index) =>
    occupants.map((occupant): CrystalSite => ({ ...occupant, fraction: fractions[index] ?? [0, 0, 0] })),
  )
  const tagged = withSpeciesTags(all, 'kinds', warnings)
  return requireAtoms({
    title,
    lattice,
    periodic: [alongA, alongB, alongC],
    sites: tagged,
    warnings,
    rest: restOf(attributes),
  })
}

/** The cell; of a molecule, and where a vector is 0, the vectors along which nothing repeats are made up. */
function readCell(
  attributes: JsonObject,
  periodic: Crystal['periodic'],
  places: readonly Vector3[],
): Crystal['lattice'] {
  const cell = asMatrix(takeWhole(attributes, 'cell'), 'cell')
  const isMolecule = !periodic.includes(true)
  const isMadeUp = (vector: Vector3, axis: number): boolean =>
    periodic[axis] === false && (isMolecule || vector.every((x) => x === 0))
  return completeCell(
    cell.map((vector, axis) => (isMadeUp(vector, axis) ? undefined : vector)),
    places,
  )
}

/** Occupants of the sites of each kind; a kind whose weights are less than 1 together has vacancies. */
function readKinds(attributes: JsonObject, names: SpeciesNames): ReadonlyMap<string, readonly KindOccupant[]> {
  const kinds = new Map<string, readonly KindOccupant[]>()
  for (const [index, kind] of listField(attributes, 'kinds', '').entries()) {
    const path = `kinds[${index}]`
    if (!isJsonObject(kind)) throw wrongField(path, kind, 'an object')
    const symbols = takeWhole(kind, 'symbols')
    const name = textField(kind, 'name')
    if (!isJsonArray(symbols) || name === undefined) throw wrongField(path, kind, 'a kind with a name and symbols')
    const weights = takeWhole(kind, 'weights')
    const mass = takeWhole(kind, 'mass')
    const occupants = symbols.flatMap((symbol, place) => {
      const share = isJsonArray(weights) ? weights[place] : undefined
      return readOccupant(
        { symbol, share, mass: symbols.length === 1 && isWhole(share) ? mass : undefined, path },
        names,
      )
    })
    kinds.set(
      name,
      occupants.map((occupant) => (name === occupant.element ? occupant : { ...occupant, label: name })),
    )
  }
  return kinds
}

interface KindShare {
  readonly symbol: Json
  readonly share: Json | undefined
  /** In Da; of a kind of one element only. */
  readonly mass: Json | undefined
  readonly path: string
}

function readOccupant({ symbol, share, mass, path }: KindShare, names: SpeciesNames): readonly KindOccupant[] {
  if (typeof symbol !== 'string') throw wrongField(`${path}.symbols`, symbol, 'symbols of elements')
  if (share === 0) return []
  const species = names.withMass(names.ofType(symbol, { path }), mass)
  const occurrence = readShare(share, `${path}.weights`)
  if (species === null) return []
  return [{ ...species, ...(occurrence === undefined ? {} : { occurrence }) }]
}
