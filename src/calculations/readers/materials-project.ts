import { isJsonArray, isJsonObject, type JsonObject, ownField } from '../../kernel/json.ts'
import type { StructureWarning } from '../../structure/crystal.ts'
import { take, takeAll, takeWhole } from '../../structure/formats/json/json-fields.ts'
import { pymatgenFormat } from '../../structure/formats/json/pymatgen.ts'
import { type Model, type OutputFormat, type Result, scalar } from '../calculation.ts'
import {
  matrixOf,
  peekNumber,
  takeNumber,
  takeObject,
  takeScalars,
  takeTensor,
  textOf,
} from './records/database-results.ts'
import { type DatabaseKind, type DatabaseRecord, JsonRecords, type RecordReading } from './records/json-records.ts'
import { MATERIALS_PROJECT_SCALARS, takeGap } from './records/materials-project-fields.ts'
import { recordKeys } from './records/record-keys.ts'
import { modelOfRunType } from './records/run-type.ts'

/** Documents of the Materials Project (summary, thermo, electronic structure, elasticity ...): one, a list, or the `data` of a response. */
export const materialsProjectFormat: OutputFormat = {
  name: 'materials-project',
  title: 'Materials Project documents',
  fileNames: /\.json$/i,
  recognizes: (head) => recordKeys(head).own.has('material_id'),
  source: { kind: 'text', open: (limits) => new JsonRecords(KIND, limits) },
}

const KIND: DatabaseKind = {
  title: 'document of the Materials Project',
  lists: ['data', 'response'],
  isRecord: (record) => idOf(record) !== undefined,
  hasStructure: (record) => isJsonObject(ownField(record, 'structure')),
  structures: pymatgenFormat,
  read: readDocument,
}

function readDocument({ crystal, fields }: DatabaseRecord): readonly RecordReading[] {
  const id = idOf(fields)
  takeAll(fields, ['@module', '@class', '@version', 'material_id', ...(crystal === null ? [] : DERIVED)])
  const model = modelOf(fields)
  const gap = takeGap(fields)
  const sites = crystal?.sites.some(({ occurrence }) => occurrence !== undefined) ? undefined : crystal?.sites.length
  return [
    {
      code: { name: 'vasp', version: null },
      ...(id === undefined ? {} : { id }),
      ...madeFrom(fields),
      model,
      results: [
        ...totalEnergy(fields, sites),
        ...takeScalars(fields, MATERIALS_PROJECT_SCALARS),
        ...(gap === undefined ? [] : [gap]),
        ...modulus(fields, 'bulk_modulus'),
        ...modulus(fields, 'shear_modulus'),
        ...elasticTensor(fields),
      ],
      warnings: model === null ? [NO_MODEL] : [],
    },
  ]
}

const NO_MODEL: StructureWarning = {
  code: 'model-not-known',
  message: 'The document does not say by which functional its values were computed.',
}

/** Fields that follow from the structure. */
const DERIVED = [
  'nsites',
  'elements',
  'nelements',
  'composition',
  'composition_reduced',
  'formula_pretty',
  'formula_anonymous',
  'chemsys',
  'volume',
  'density',
  'density_atomic',
]

/** The id of a document, which newer ones write as an object with the text in it. */
function idOf(document: JsonObject): string | undefined {
  const id = ownField(document, 'material_id')
  return textOf(isJsonObject(id) ? ownField(id, 'string') : id)
}

/** The functional, where a document is of one: that of its thermodynamics, or of its only entries. */
function modelOf(document: JsonObject): Model | null {
  for (const field of ['run_type', 'thermo_type', 'functional']) {
    const text = textOf(ownField(document, field))
    const model = text === undefined ? null : modelOfRunType(text, 'PBE')
    if (model === null) continue
    takeWhole(document, field)
    return model
  }
  const types = ownField(document, 'entry_types')
  const [type] = isJsonArray(types) && types.length === 1 ? types : []
  const model = typeof type === 'string' ? modelOfRunType(type, 'PBE') : null
  if (model !== null) takeWhole(document, 'entry_types')
  return model
}

/** The tasks that values of the document come from. */
function madeFrom(document: JsonObject): { readonly madeFrom?: readonly string[] } {
  const origins = ownField(document, 'origins')
  if (!isJsonArray(origins)) return {}
  take(document, 'origins')
  const ids = origins.flatMap((origin) => {
    const id = isJsonObject(origin) ? textOf(ownField(origin, 'task_id')) : undefined
    if (id === undefined || !isJsonObject(origin)) return []
    takeWhole(origin, 'task_id')
    return [id]
  })
  return ids.length === 0 ? {} : { madeFrom: [...new Set(ids)] }
}

/** The energy of the cell as it was computed; `energy_per_atom` has corrections in it, and is no energy of any calculation. */
function totalEnergy(document: JsonObject, sites: number | undefined): readonly Result[] {
  if (sites === undefined) return []
  const perAtom = takeNumber(document, 'uncorrected_energy_per_atom')
  return perAtom === undefined ? [] : [scalar('total_energy', perAtom * sites, 'eV')]
}

/** The mean of Voigt's and Reuss's values, which stay in the rest, or a single number. */
function modulus(document: JsonObject, field: 'bulk_modulus' | 'shear_modulus'): readonly Result[] {
  if (peekNumber(document, field) !== undefined) return takeScalars(document, [[field, field]])
  const averages = takeObject(document, field)
  return averages === undefined ? [] : takeScalars(averages, [['vrh', field]])
}

/** The tensor in the axes of the structure; that in standard axes stays in the rest. */
function elasticTensor(document: JsonObject): readonly Result[] {
  const tensors = ownField(document, 'elastic_tensor')
  if (matrixOf(tensors, 6) !== undefined) return takeTensor(document, 'elastic_tensor', 'elastic_tensor')
  if (!isJsonObject(tensors)) return []
  take(document, 'elastic_tensor')
  return takeTensor(tensors, 'raw', 'elastic_tensor')
}
