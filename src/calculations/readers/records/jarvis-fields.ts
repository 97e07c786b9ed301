import { type JsonObject, ownField } from '../../../kernel/json.ts'
import type { Crystal } from '../../../structure/crystal.ts'
import { takeWhole } from '../../../structure/formats/json/json-fields.ts'
import { type Calculation, type Method, type Model, type Result, scalar } from '../../calculation.ts'
import { gapResult, type ScalarField, takeNumber, takeScalars, takeTensor, textOf } from './database-results.ts'
import type { RecordReading } from './json-records.ts'
import { modelOfRunType } from './run-type.ts'

/** Numbers of the main functional, in the units of the database: K. Choudhary et al., npj Comput. Mater. 6, 173 (2020). */
const SCALARS: readonly ScalarField[] = [
  ['formation_energy_peratom', 'formation_energy'],
  ['ehull', 'energy_above_hull'],
  ['magmom_outcar', 'total_magnetization'],
  ['magmom_oszicar', 'total_magnetization'],
  ['bulk_modulus_kv', 'bulk_modulus'],
  ['shear_modulus_gv', 'shear_modulus'],
]

/** Gaps of functionals beside the main one, each of a calculation of its own. */
const OTHER_GAPS = [
  ['mbj_bandgap', 'tb-mbj'],
  ['hse_gap', 'hse06'],
] as const

/** What the database writes where it has no value. */
const MISSING = 'na'

const VASP: Calculation['code'] = { name: 'vasp', version: null }

/** Calculations that a record is of; `prefix` stands before the names of its fields where other databases pass them on. */
export function readJarvisFields(
  fields: JsonObject,
  crystal: Crystal | null,
  prefix: string,
): readonly RecordReading[] {
  for (const [name, value] of Object.entries(fields)) if (value === MISSING) takeWhole(fields, name)
  const id = textOf(takeWhole(fields, `${prefix}jid`))
  const model = modelOf(fields, prefix)
  const sites = crystal?.sites.length
  const others = OTHER_GAPS.flatMap(([field, functional]): readonly RecordReading[] => {
    const value = takeNumber(fields, `${prefix}${field}`)
    if (value === undefined) return []
    const results = [gapResult({ value, isDirect: undefined })]
    return [{ code: VASP, madeFrom: id === undefined ? [] : [id], model: modelOfRunType(functional), results }]
  })
  const main: RecordReading = {
    code: VASP,
    ...(id === undefined ? {} : { id }),
    model,
    method: methodOf(fields, prefix),
    results: [
      ...totalEnergy(takeNumber(fields, `${prefix}optb88vdw_total_energy`), sites),
      ...takeScalars(fields, SCALARS, prefix),
      ...mainGap(takeNumber(fields, `${prefix}optb88vdw_bandgap`)),
      ...takeTensor(fields, `${prefix}elastic_tensor`, 'elastic_tensor'),
    ],
    warnings:
      model === null
        ? [{ code: 'model-not-known', message: 'The record does not say by which functional it was computed.' }]
        : [],
  }
  return [main, ...others]
}

/** The main functional: `func`, else that in the names of fields. */
function modelOf(record: JsonObject, prefix: string): Model | null {
  const named = textOf(ownField(record, `${prefix}func`))
  const model = named === undefined ? null : modelOfRunType(named)
  if (model !== null) {
    takeWhole(record, `${prefix}func`)
    return model
  }
  const isNamed = named === undefined && Object.keys(record).some((name) => name.startsWith(`${prefix}optb88vdw_`))
  return isNamed ? modelOfRunType('optb88vdw') : null
}

/** All of the database is of the projector augmented waves of VASP. */
function methodOf(record: JsonObject, prefix: string): Method {
  const cutoff = takeNumber(record, `${prefix}encut`)
  const precision = cutoff === undefined ? {} : { cutoff }
  return { type: 'pseudopotential', subtype: 'paw', precision, potentials: [] }
}

/** The energy of the cell: the database has it for each atom. */
function totalEnergy(perAtom: number | undefined, sites: number | undefined): readonly Result[] {
  return perAtom === undefined || sites === undefined ? [] : [scalar('total_energy', perAtom * sites, 'eV')]
}

function mainGap(value: number | undefined): readonly Result[] {
  return value === undefined ? [] : [gapResult({ value, isDirect: undefined })]
}
