import { isJsonObject, type JsonObject, ownField } from '../../kernel/json.ts'
import type { Crystal, StructureWarning } from '../../structure/crystal.ts'
import { take, takeWhole } from '../../structure/formats/json/json-fields.ts'
import { type Calculation, type Model, type Result, scalar } from '../calculation.ts'
import { gapResult, peekNumber, takeNumber, takeObject, takeScalars, textOf } from './records/database-results.ts'
import { readJarvisFields } from './records/jarvis-fields.ts'
import type { RecordReading } from './records/json-records.ts'
import { modelOfRunType } from './records/run-type.ts'

/** An entry whose fields of a provider are read. */
export interface ProvidedEntry {
  readonly attributes: JsonObject
  readonly crystal: Crystal | null
  readonly id: string | undefined
}

/** Providers whose fields have a known meaning, with the calculations that these are of; all of them compute with VASP. */
const PROVIDERS: Readonly<Record<string, (entry: ProvidedEntry) => readonly RecordReading[]>> = {
  oqmd: readOqmd,
  mp: readMaterialsProject,
  alexandria: readAlexandria,
  jarvis: ({ attributes, crystal }) => readJarvisFields(attributes, crystal, '_jarvis_'),
}

const VASP: Calculation['code'] = { name: 'vasp', version: null }

/** Calculations that the fields of a provider are of; none where the provider is not known. */
export function readProviderFields(provider: string, entry: ProvidedEntry): readonly RecordReading[] {
  return Object.hasOwn(PROVIDERS, provider) ? (PROVIDERS[provider]?.(entry) ?? []) : []
}

/** Reads fields of the Open Quantum Materials Database (J. E. Saal et al., JOM 65, 1501 (2013)), which does not say which of its entries have U. */
function readOqmd({ attributes }: ProvidedEntry): readonly RecordReading[] {
  const gap = takeNumber(attributes, '_oqmd_band_gap')
  const results = [
    ...takeScalars(attributes, [['_oqmd_delta_e', 'formation_energy']]),
    ...aboveHull(attributes, '_oqmd_stability'),
    ...(gap === undefined ? [] : [gapResult({ value: gap, isDirect: undefined })]),
  ]
  return [{ code: VASP, results, warnings: [withoutModel('OQMD')] }]
}

/** The energy above the hull; a distance below 0 is that to the hull of the others, which an entry on the hull has, and stays in the rest. */
function aboveHull(attributes: JsonObject, field: string): readonly Result[] {
  const distance = peekNumber(attributes, field)
  if (distance === undefined) return []
  if (distance < 0) return [scalar('energy_above_hull', 0, 'eV/atom')]
  return takeScalars(attributes, [[field, 'energy_above_hull']])
}

/** Reads fields of Alexandria (J. Schmidt et al., Adv. Mater. 35, 2210788 (2023)). */
function readAlexandria({ attributes }: ProvidedEntry): readonly RecordReading[] {
  const model = modelIn(attributes, '_alexandria_xc_functional')
  const results = [
    ...takeScalars(attributes, [
      ['_alexandria_energy', 'total_energy'],
      ['_alexandria_formation_energy_per_atom', 'formation_energy'],
    ]),
    ...aboveHull(attributes, '_alexandria_hull_distance'),
    ...gapsOf(takeNumber(attributes, '_alexandria_band_gap'), takeNumber(attributes, '_alexandria_band_gap_direct')),
  ]
  return [{ code: VASP, model, results, warnings: model === null ? [withoutModel('Alexandria')] : [] }]
}

/** The fundamental gap, and the direct one where that is larger. */
function gapsOf(fundamental: number | undefined, direct: number | undefined): readonly Result[] {
  if (fundamental === undefined) return direct === undefined ? [] : [gapResult({ value: direct, isDirect: true })]
  if (direct === undefined) return [gapResult({ value: fundamental, isDirect: undefined })]
  if (direct <= fundamental) return [gapResult({ value: fundamental, isDirect: true })]
  return [
    {
      name: 'band_gaps',
      data: {
        values: [
          { type: 'indirect', value: fundamental, units: 'eV' },
          { type: 'direct', value: direct, units: 'eV' },
        ],
      },
    },
  ]
}

/** Thermodynamic data that the Materials Project takes for its own, and so for the entry. */
const MAIN_DATA = 'gga_gga+u'

/** Reads fields of the Materials Project, which has stabilities by the functionals that they follow from: each is of a calculation of its own. */
function readMaterialsProject({ attributes, id }: ProvidedEntry): readonly RecordReading[] {
  const stability = takeObject(attributes, '_mp_stability') ?? {}
  const readings = Object.entries(stability)
    .sort(([one], [other]) => Number(other === MAIN_DATA) - Number(one === MAIN_DATA))
    .flatMap(([data, values]) => (isJsonObject(values) ? [stabilityOf(data, values, stability)] : []))
  const [main, ...others] = readings.filter(({ results }) => results.length > 0)
  if (main === undefined) return [{ code: VASP, results: [], warnings: [withoutModel('the Materials Project')] }]
  return [main, ...others.map((other) => (id === undefined ? other : { ...other, madeFrom: [id] }))]
}

function stabilityOf(data: string, values: JsonObject, owner: JsonObject): RecordReading {
  take(owner, data)
  const model = modelOfRunType(data)
  const message = `The values follow from the data "${data}" of the Materials Project, which are of several functionals.`
  return {
    code: VASP,
    model,
    results: takeScalars(values, [
      ['formation_energy_per_atom', 'formation_energy'],
      ['energy_above_hull', 'energy_above_hull'],
    ]),
    warnings: model === null ? [{ code: 'model-not-known', message }] : [],
  }
}

function modelIn(attributes: JsonObject, field: string): Model | null {
  const name = textOf(ownField(attributes, field))
  const model = name === undefined ? null : modelOfRunType(name)
  if (model !== null) takeWhole(attributes, field)
  return model
}

function withoutModel(provider: string): StructureWarning {
  const message = `The functional of the values of ${provider} is not known.`
  return { code: 'model-not-known', message }
}
