import { isJsonArray, isJsonObject, type Json, type JsonObject, ownField } from '../../kernel/json.ts'
import type { StructureWarning } from '../../structure/crystal.ts'
import { isElementSymbol } from '../../structure/elements/element.ts'
import { shorten } from '../../structure/formats/common/text.ts'
import { take, takeAll, takeWhole } from '../../structure/formats/json/json-fields.ts'
import { pymatgenFormat } from '../../structure/formats/json/pymatgen.ts'
import type { Method, Model, OutputFormat, Potential } from '../calculation.ts'
import { peekNumber, takeObject, takeScalars, textOf } from './records/database-results.ts'
import {
  type DatabaseKind,
  type DatabaseRecord,
  JsonRecords,
  type RecordReading,
  UNKNOWN_CODE,
} from './records/json-records.ts'
import { MATERIALS_PROJECT_SCALARS, takeGap } from './records/materials-project-fields.ts'
import { recordKeys } from './records/record-keys.ts'
import { modelOfRunType } from './records/run-type.ts'

/** Classes of pymatgen whose `energy` is what a code computed, without corrections. */
const CLASSES = ['ComputedEntry', 'ComputedStructureEntry', 'PDEntry']

const CLASS = /"@class"\s*:\s*"(?:ComputedEntry|ComputedStructureEntry|PDEntry)"/

/** `ComputedEntry` and `ComputedStructureEntry` of pymatgen as `as_dict` writes them: one, a list, or by names. */
export const entriesFormat: OutputFormat = {
  name: 'pymatgen-entries',
  title: 'Computed entries of pymatgen',
  fileNames: /\.json$/i,
  recognizes: mayBeEntry,
  source: { kind: 'text', open: (limits) => new JsonRecords(KIND, limits) },
}

/** Tells entries from documents that have some in them. */
function mayBeEntry(head: string): boolean {
  const { own, named } = recordKeys(head)
  if (own.has('material_id')) return false
  return (
    [own, named].some((keys) => (keys.has('energy') && keys.has('composition')) || keys.has('energy_adjustments')) ||
    (own.size > 0 && CLASS.test(head))
  )
}

const KIND: DatabaseKind = {
  title: 'computed entry',
  lists: ['entries', 'all_entries', 'data'],
  isRecord: (record) => {
    const name = textOf(ownField(record, '@class'))
    const isEntry = typeof ownField(record, 'energy') === 'number' && isJsonObject(ownField(record, 'composition'))
    return isEntry && (name === undefined || CLASSES.includes(name))
  },
  hasStructure: (record) => isJsonObject(ownField(record, 'structure')),
  structures: pymatgenFormat,
  read: readEntry,
}

function readEntry({ name, crystal, fields }: DatabaseRecord): readonly RecordReading[] {
  takeAll(fields, ['@module', '@class', '@version', ...(crystal === null ? [] : ['composition'])])
  const parameters = takeObject(fields, 'parameters') ?? {}
  const data = takeObject(fields, 'data') ?? {}
  const id = idOf(fields) ?? name
  const run = runOf(parameters)
  const gap = takeGap(data)
  return [
    {
      code: run.isVasp ? { name: 'vasp', version: null } : UNKNOWN_CODE,
      ...(id === undefined ? {} : { id }),
      model: run.model,
      method: run.method,
      ...inputsOf(parameters),
      results: [
        ...takeScalars(fields, [['energy', 'total_energy']]),
        ...takeScalars(data, MATERIALS_PROJECT_SCALARS),
        ...(gap === undefined ? [] : [gap]),
      ],
      warnings: [...run.warnings, ...corrected(fields)],
    },
  ]
}

function idOf(entry: JsonObject): string | undefined {
  const id = ownField(entry, 'entry_id')
  if (typeof id !== 'string' && typeof id !== 'number') return undefined
  takeWhole(entry, 'entry_id')
  return String(id)
}

interface EntryRun {
  readonly isVasp: boolean
  readonly model: Model | null
  readonly method: Method | null
  readonly warnings: readonly StructureWarning[]
}

/** Functional and potentials of an entry, as the drones of pymatgen and the Materials Project write it. */
function runOf(parameters: JsonObject): EntryRun {
  const runType = textOf(ownField(parameters, 'run_type'))
  const potentials = potentialsOf(parameters)
  const functional = functionalOf(parameters, potentials)
  const model = runType === undefined ? null : modelOfRunType(runType, functional)
  if (model !== null) takeWhole(parameters, 'run_type')
  const method: Method | null =
    potentials.length === 0
      ? null
      : { type: 'pseudopotential', subtype: subtypeOf(potentials), precision: {}, potentials }
  const warnings = model === null ? [{ code: 'model-not-known', message: withoutModel(runType) }] : []
  return { isVasp: potentials.length > 0, model, method, warnings }
}

/** Values of U by element, in eV, as the run was given it: what comes of its energy follows from that. */
function inputsOf(parameters: JsonObject): { readonly inputs?: JsonObject } {
  const hubbards = ownField(parameters, 'hubbards')
  if (!isJsonObject(hubbards)) return {}
  const isOfElements = Object.entries(hubbards).every(([name, u]) => isElementSymbol(name) && typeof u === 'number')
  return isOfElements ? { inputs: { hubbards: takeWhole(parameters, 'hubbards') ?? {} } } : {}
}

/** Potentials by their titles (`PAW_PBE Si 05Jan2001`), else by their symbols (`PBE Si`); none where one of them names no element. */
function potentialsOf(parameters: JsonObject): readonly Potential[] {
  const specs = ownField(parameters, 'potcar_spec')
  const symbols = ownField(parameters, 'potcar_symbols')
  if (isJsonArray(specs)) {
    const titled = specs.map((spec) => potentialOf(isJsonObject(spec) ? ownField(spec, 'titel') : undefined))
    if (titled.length > 0 && titled.every((potential) => potential !== undefined)) {
      take(parameters, 'potcar_spec')
      for (const spec of specs) if (isJsonObject(spec)) takeWhole(spec, 'titel')
      return titled
    }
  }
  const named = isJsonArray(symbols) ? symbols.map(potentialOf) : []
  if (!named.every((potential) => potential !== undefined)) return []
  if (named.length > 0) takeWhole(parameters, 'potcar_symbols')
  return named
}

function potentialOf(title: Json | undefined): Potential | undefined {
  if (typeof title !== 'string') return undefined
  const [, name = ''] = title.split(' ')
  const element = name.split('_')[0] ?? ''
  return isElementSymbol(element) ? { element, title } : undefined
}

/** Kind of VASP's potentials, whose titles begin with it where they are no projector augmented waves. */
function subtypeOf(potentials: readonly Potential[]): string {
  return potentials.some(({ title }) => /^US\b/.test(title)) ? 'ultra-soft' : 'paw'
}

function withoutModel(runType: string | undefined): string {
  if (runType === undefined) return 'The entry does not say by which functional it was computed.'
  const what = /^gga/i.test(runType) ? 'of potentials that do not say theirs' : 'that is not known'
  return `The run type "${shorten(runType)}" stands for a functional ${what}.`
}

/** Functional that the potentials were made with: of `PBE Mn_pv` or `pseudo_potential.functional`. */
function functionalOf(parameters: JsonObject, potentials: readonly Potential[]): string | undefined {
  const described = ownField(parameters, 'pseudo_potential')
  const named = isJsonObject(described) ? textOf(ownField(described, 'functional')) : undefined
  const ofTitles = new Set(potentials.map(({ title }) => title.split(' ')[0]?.replace(/^PAW_/, '')))
  return named ?? (ofTitles.size === 1 ? [...ofTitles][0] : undefined)
}

/** Tells that the energy is as it was computed, where the entry has another one beside. */
function corrected(entry: JsonObject): readonly StructureWarning[] {
  const correction = peekNumber(entry, 'correction') ?? 0
  if (correction === 0) return []
  const message = `The total energy is without the correction of ${correction} eV that the entry names.`
  return [{ code: 'energy-not-corrected', message, severity: 'info' }]
}
