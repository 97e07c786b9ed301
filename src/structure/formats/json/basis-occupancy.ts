import { isJsonArray, isJsonObject, type Json, type JsonObject, ownField } from '../../../kernel/json.ts'
import { type Crystal, type CrystalSite, NOT_PERIODIC, type Occupancy, PERIODIC } from '../../crystal.ts'
import type { Vector3 } from '../../linear-algebra.ts'

/** Details of atoms in the basis of a material, beside element and place, by their ids; takes what the schema accepts, and leaves out the rest. */
export function readOccupancies(basis: JsonObject): ReadonlyMap<string, Occupancy> {
  const found = new Map<string, Occupancy>()
  const add = (id: Json | undefined, more: Occupancy): void => {
    found.set(String(id), { ...found.get(String(id)), ...more })
  }
  for (const entry of entriesOf(basis, 'elements')) {
    const { occurrence, oxidationState, isotope } = entry
    if (typeof occurrence === 'number' && occurrence < 1) add(entry.id, { occurrence })
    if (typeof oxidationState === 'number') add(entry.id, { oxidationState })
    if (typeof isotope === 'number') add(entry.id, { isotope })
  }
  for (const { id, assembly, group } of entriesOf(basis, 'disorder')) {
    const disorder = { assembly: textOf(assembly), group: textOf(group) }
    if (disorder.group !== '') add(id, { disorder })
  }
  for (const { id, value } of entriesOf(basis, 'magneticMoments')) {
    if (isVector(value)) add(id, { moment: value })
  }
  return found
}

function textOf(value: Json | undefined): string {
  return typeof value === 'string' ? value : ''
}

function isVector(value: Json | undefined): value is Vector3 & Json {
  return isJsonArray(value) && value.length === 3 && value.every((component) => typeof component === 'number')
}

function entriesOf(basis: JsonObject, list: string): readonly JsonObject[] {
  const items = ownField(basis, list)
  return isJsonArray(items) ? items.filter(isJsonObject) : []
}

/** The same for a basis that is written: fields of `elements`, and the lists beside them. */
export function printOccupancies(sites: readonly CrystalSite[]): {
  readonly ofElements: readonly JsonObject[]
  readonly lists: JsonObject
} {
  const disorder = sites.flatMap((site, id) => (site.disorder === undefined ? [] : [{ id, ...site.disorder }]))
  const moments = sites.flatMap(({ moment }, id) => (moment === undefined ? [] : [{ id, value: [...moment] }]))
  return {
    ofElements: sites.map(({ occurrence, oxidationState, isotope }) => ({
      ...(occurrence === undefined ? {} : { occurrence: Number(occurrence.toFixed(4)) }),
      ...(oxidationState === undefined ? {} : { oxidationState }),
      ...(isotope === undefined ? {} : { isotope }),
    })),
    lists: {
      ...(disorder.length === 0 ? {} : { disorder }),
      ...(moments.length === 0 ? {} : { magneticMoments: moments }),
    },
  }
}

/** Along which lattice vectors a material repeats. */
export function directionsOf(material: JsonObject): Crystal['periodic'] {
  if (ownField(material, 'isNonPeriodic') === true) return NOT_PERIODIC
  const [a, b, c] = readDirections(ownField(material, 'periodicDirections')) ?? PERIODIC
  return [a, b, c]
}

/** Three flags; nothing for anything else. */
export function readDirections(value: Json | undefined): Crystal['periodic'] | undefined {
  if (!isJsonArray(value)) return undefined
  const [a, b, c, ...rest] = value.map((flag) =>
    flag === true || flag === 1 ? true : flag === false || flag === 0 ? false : undefined,
  )
  return a === undefined || b === undefined || c === undefined || rest.length > 0 ? undefined : [a, b, c]
}
