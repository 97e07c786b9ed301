import { isJsonObject, type Json, type JsonObject, ownField } from '../../kernel/json.ts'
import { SHOWN_OF_ALL } from '../kinds/property/shown-properties.ts'
import type { Potentials } from './potentials.ts'

/** The total energy that a material shows of one group, in eV for its composition. */
export interface ShownEnergy {
  readonly value: number
  readonly propertyId: string
  readonly jobId: string | null
  readonly potentials: Potentials
}

/** A material with its total energies. */
export interface EnergyEntry {
  readonly id: string
  readonly name: string
  readonly formula: string
  readonly isPublic: boolean
  /** Numbers of atoms by element. */
  readonly composition: Readonly<Record<string, number>>
  readonly chemicalSystem: string
  readonly isDisordered: boolean
  /** Best one of each group; that of no group under an empty text. */
  readonly energies: ReadonlyMap<string, ShownEnergy>
  /** The group of the best of all. */
  readonly bestGroup: string
}

/** The field that is there where a material shows any total energy. */
export const ENERGY_FIELD = 'properties.total_energy.propertyId'

/** Fields of materials that entries are read from. */
export const ENTRY_FIELDS: Readonly<Record<string, 1>> = {
  _id: 1,
  name: 1,
  formula: 1,
  isPublic: 1,
  composition: 1,
  chemicalSystem: 1,
  isDisordered: 1,
  'properties.total_energy': 1,
}

/** Reads entries from pages of materials, as the bytes of JSON arrays. */
export function readEnergyEntries(pages: readonly Uint8Array[]): readonly EnergyEntry[] {
  return readDocuments(pages).map(energyEntry)
}

/** Reads documents from pages, as the bytes of JSON arrays. */
export function readDocuments(pages: readonly Uint8Array[]): readonly JsonObject[] {
  return pages.flatMap((page) => JSON.parse(Buffer.from(page).toString()) as readonly JsonObject[])
}

function energyEntry(document: JsonObject): EnergyEntry {
  const shown = objectIn(objectIn(document, 'properties'), 'total_energy')
  const composition = Object.entries(objectIn(document, 'composition')).map(([element, count]) => [
    element,
    Number(count),
  ])
  return {
    id: textIn(document, '_id'),
    name: textIn(document, 'name'),
    formula: textIn(document, 'formula'),
    isPublic: ownField(document, 'isPublic') === true,
    composition: Object.fromEntries(composition),
    chemicalSystem: textIn(document, 'chemicalSystem'),
    isDisordered: ownField(document, 'isDisordered') === true,
    energies: energiesIn(shown),
    bestGroup: textIn(shown, 'group'),
  }
}

function energiesIn(shown: JsonObject): ReadonlyMap<string, ShownEnergy> {
  const ofGroups = Object.entries(shown).filter(([name]) => !SHOWN_OF_ALL.includes(name))
  const own: readonly (readonly [string, Json])[] = ownField(shown, 'group') === undefined ? [['', shown]] : []
  return new Map(
    [...own, ...ofGroups].flatMap(([group, value]) => {
      const energy = isJsonObject(value) ? shownEnergy(value) : null
      return energy === null ? [] : [[group, energy] as const]
    }),
  )
}

function shownEnergy(shown: JsonObject): ShownEnergy | null {
  const [value, propertyId, jobId] = ['value', 'propertyId', 'jobId'].map((field) => ownField(shown, field))
  if (typeof value !== 'number' || typeof propertyId !== 'string') return null
  const potentials = objectIn(shown, 'potentials') as Potentials
  return { value, propertyId, jobId: typeof jobId === 'string' ? jobId : null, potentials }
}

function objectIn(document: JsonObject, field: string): JsonObject {
  const value = ownField(document, field)
  return isJsonObject(value) ? value : {}
}

function textIn(document: JsonObject, field: string): string {
  const value = ownField(document, field)
  return typeof value === 'string' ? value : ''
}
