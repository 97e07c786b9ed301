import { type JsonObject, ownField } from '../../../kernel/json.ts'
import { takeWhole } from '../../../structure/formats/json/json-fields.ts'
import { type Result, scalar } from '../../calculation.ts'
import { peekNumber } from '../records/database-results.ts'

/** Energies in eV: CODATA 2018 (E. Tiesinga et al., Rev. Mod. Phys. 93, 025010 (2021)). */
export const EV_PER_HARTREE = 27.211386245988
export const EV_PER_RYDBERG = EV_PER_HARTREE / 2

const ENERGIES: Units = {
  ev: 1,
  hartree: EV_PER_HARTREE,
  htr: EV_PER_HARTREE,
  ha: EV_PER_HARTREE,
  'a.u.': EV_PER_HARTREE,
  ry: EV_PER_RYDBERG,
  rydberg: EV_PER_RYDBERG,
}

/** Factors by which numbers in units come into that of a property; the units in small letters, without blanks. */
type Units = Readonly<Record<string, number>>

interface PluginQuantity {
  readonly property: string
  /** Unit of the property. */
  readonly unit: string
  readonly units: Units
}

const ENERGY = (property: string): PluginQuantity => ({ property, unit: 'eV', units: ENERGIES })

/** Keys of output parameters that plugins write, each with its unit under the same key with `_units`. */
const QUANTITIES: Readonly<Record<string, PluginQuantity>> = {
  energy: ENERGY('total_energy'),
  total_energy: ENERGY('total_energy'),
  E_KS: ENERGY('total_energy'),
  fermi_energy: ENERGY('fermi_energy'),
  E_Fermi: ENERGY('fermi_energy'),
  bandgap: ENERGY('band_gap'),
  band_gap: ENERGY('band_gap'),
  total_force: { property: 'total_force', unit: 'eV/angstrom', units: { 'ev/angstrom': 1, 'ev/ang': 1 } },
  total_magnetization: {
    property: 'total_magnetization',
    unit: 'uB',
    units: { 'bohrmag/cell': 1, 'bohrmagneton/cell': 1, bohrmag: 1, bohrmagneton: 1, ub: 1 },
  },
  pressure: { property: 'pressure', unit: 'kbar', units: { kbar: 1, gpa: 10 } },
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

/** A number in the unit of its property; nothing where it has no unit, or one that is not known. */
export function takeQuantity(parameters: JsonObject, key: string, units: Units = ENERGIES): number | undefined {
  const unit = ownField(parameters, `${key}_units`)
  const value = peekNumber(parameters, key)
  if (typeof unit !== 'string' || value === undefined) return undefined
  const name = unit.toLowerCase().replace(/\s/g, '')
  const factor = Object.hasOwn(units, name) ? units[name] : undefined
  if (factor === undefined) return undefined
  takeWhole(parameters, key)
  takeWhole(parameters, `${key}_units`)
  return value * factor
}

/** Results of output parameters, each by the first of its keys. */
export function takeQuantities(parameters: JsonObject): readonly Result[] {
  const found = new Map<string, Result>()
  for (const [key, { property, unit, units }] of Object.entries(QUANTITIES)) {
    const value = found.has(property) ? undefined : takeQuantity(parameters, key, units)
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
