import { type JsonObject, ownField } from '../../../kernel/json.ts'
import { convert } from '../../../page/units.ts'
import { takeWhole } from '../../../structure/formats/json/json-fields.ts'
import { type Result, scalar } from '../../calculation.ts'
import { peekNumber } from '../records/database-results.ts'

/** Spellings of plugins that nobody else has: a moment is one of the cell, without saying so. */
const SPELLINGS: Readonly<Record<string, string>> = {
  htr: 'Ha',
  'a.u.': 'Ha',
  'bohrmag/cell': 'uB',
  'bohrmagneton/cell': 'uB',
  bohrmag: 'uB',
}

interface PluginQuantity {
  readonly property: string
  /** Unit of the property. */
  readonly unit: string
}

const ENERGY = (property: string): PluginQuantity => ({ property, unit: 'eV' })

/** Keys of output parameters that plugins write, each with its unit under the same key with `_units`. */
const QUANTITIES: Readonly<Record<string, PluginQuantity>> = {
  energy: ENERGY('total_energy'),
  total_energy: ENERGY('total_energy'),
  E_KS: ENERGY('total_energy'),
  fermi_energy: ENERGY('fermi_energy'),
  E_Fermi: ENERGY('fermi_energy'),
  bandgap: ENERGY('band_gap'),
  band_gap: ENERGY('band_gap'),
  total_force: { property: 'total_force', unit: 'eV/angstrom' },
  total_magnetization: { property: 'total_magnetization', unit: 'uB' },
  pressure: { property: 'pressure', unit: 'kbar' },
}

/** Contributions to the total energy by the keys of Quantum ESPRESSO's plugin. */
const CONTRIBUTIONS: Readonly<Record<string, string>> = {
  energy_ewald: 'ewald',
  energy_hartree: 'hartree',
  energy_xc: 'exchangeCorrelation',
  energy_one_electron: 'oneElectron',
  energy_smearing: 'smearing',
  energy_one_center_paw: 'oneCenterPaw',
  energy_hubbard: 'hubbard',
  energy_vdw: 'dispersion',
}

/** A number in the unit of its property, in eV where nothing is said; nothing where it has no unit, or one of something else. */
export function takeQuantity(parameters: JsonObject, key: string, unit = 'eV'): number | undefined {
  const units = ownField(parameters, `${key}_units`)
  const value = peekNumber(parameters, key)
  if (typeof units !== 'string' || value === undefined) return undefined
  const name = units.toLowerCase().replace(/\s/g, '')
  const converted = convert(value, Object.hasOwn(SPELLINGS, name) ? String(SPELLINGS[name]) : units, unit)
  if (converted === null) return undefined
  takeWhole(parameters, key)
  takeWhole(parameters, `${key}_units`)
  return converted
}

/** Results of output parameters, each by the first of its keys. */
export function takeQuantities(parameters: JsonObject): readonly Result[] {
  const found = new Map<string, Result>()
  for (const [key, { property, unit }] of Object.entries(QUANTITIES)) {
    const value = found.has(property) ? undefined : takeQuantity(parameters, key, unit)
    if (value !== undefined) found.set(property, scalar(property, value, unit))
  }
  return [...found.values()]
}

/** Contributions to the energy that Quantum ESPRESSO prints. */
export function takeContributions(parameters: JsonObject): readonly Result[] {
  const contributions = Object.entries(CONTRIBUTIONS).flatMap(([key, name]) => {
    const value = takeQuantity(parameters, key)
    return value === undefined ? [] : [[name, { name, value }] as const]
  })
  if (contributions.length === 0) return []
  return [{ name: 'total_energy_contributions', data: { ...Object.fromEntries(contributions), units: 'eV' } }]
}
