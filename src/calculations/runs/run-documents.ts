import type { Json, JsonObject } from '../../kernel/json.ts'
import type { Crystal } from '../../structure/crystal.ts'
import { crystalToMaterial } from '../../structure/formats/json/material.ts'
import type { Calculation, Code, Method, Precision, Result } from '../calculation.ts'
import { withCaveats } from '../caveats.ts'
import { propertyNamed } from '../property-data.ts'

/** What becomes of a calculation: documents of its records, which name each other once their ids are known. Plain data, which goes between threads. */
export interface RunDocuments {
  readonly code: Code
  /** Group of its properties: program and functional; null where the output names no functional. */
  readonly group: string | null
  /** Null where the output has no structure, or the same one as at the end. */
  readonly initial: JsonObject | null
  readonly final: JsonObject | null
  /** Way from the initial structure to the final one. */
  readonly how: 'relaxation' | 'dynamics'
  readonly method: JsonObject | null
  readonly job: JsonObject
  /** Whether the output has an end. One without may still be written. */
  readonly isWhole: boolean
  readonly properties: readonly RunProperty[]
  /** What has been read and not used, by name. */
  readonly leftOut: readonly string[]
  readonly warnings: readonly string[]
}

/** Document of a property, with the name of the file that says it. */
type RunProperty = JsonObject & { readonly source: { readonly type: string; readonly info: JsonObject } }

/** Makes documents of a calculation. */
export function documentsOf(calculation: Calculation): RunDocuments {
  const { initial, final, method, rest } = calculation
  const results = withCaveats(calculation)
  const warnings = [...calculation.warnings.map(({ message }) => message), ...caveatsOf(results)]
  const last = final ?? initial
  const group = groupOf(calculation)
  return {
    code: calculation.code,
    group,
    initial: initial === null || last === null || isSame(initial, last) ? null : materialOf(initial),
    final: last === null ? null : materialOf(last),
    how: calculation.conditions?.isDynamics === true ? 'dynamics' : 'relaxation',
    method: method === null ? null : methodDocument(calculation, method),
    job: { ...jobDocument(calculation), ...(warnings.length === 0 ? {} : { warnings }) },
    isWhole: calculation.isWhole,
    properties: results.map(({ name, data, caveat, file }) => ({
      data: { name, ...unitsOf(name, data), ...data, ...(name === 'total_energy' ? potentialsOf(method) : {}) },
      ...(caveat === undefined ? {} : { caveat }),
      source: { type: 'exabyte', info: file === undefined ? {} : { file } },
      ...(group === null ? {} : { group }),
      ...(method === null ? {} : { precision: precisionOf(method.precision) }),
    })),
    leftOut: rest.leftOut,
    warnings,
  }
}

/** Potentials by element: energies of one method with others have another zero. */
function potentialsOf(method: Method | null): JsonObject {
  const titles = new Map<string, Set<string>>()
  for (const { element, title } of method?.potentials ?? [])
    titles.set(element, (titles.get(element) ?? new Set()).add(title))
  const potentials = [...titles].map(([element, all]) => [element, [...all].sort().join(' + ')])
  return potentials.length === 0 ? {} : { potentials: Object.fromEntries(potentials) as JsonObject }
}

/** Remarks on results that their material does not show. */
function caveatsOf(results: readonly Result[]): readonly string[] {
  const reasons = new Map<string, string[]>()
  for (const { name, caveat } of results) {
    if (caveat !== undefined) reasons.set(caveat, [...(reasons.get(caveat) ?? []), name])
  }
  const counted = results.filter(({ name }) => !name.startsWith('convergence_')).length
  return [...reasons].map(([caveat, names]) => {
    const isAll = names.length === counted
    const which = isAll ? `all results${counted < results.length ? ' but the way to them' : ''}` : names.join(', ')
    return `Kept with a caveat, and not shown by the material: ${which}. ${caveat}`
  })
}

/** A material that is called by its formula: what a program calls a run is with the input of the job. */
function materialOf(crystal: Crystal): JsonObject {
  return crystalToMaterial({ ...crystal, title: '' })
}

function isSame(one: Crystal, other: Crystal): boolean {
  return JSON.stringify([one.lattice, one.sites]) === JSON.stringify([other.lattice, other.sites])
}

function unitsOf(name: string, data: JsonObject): JsonObject {
  const units = propertyNamed(name)?.units ?? null
  return units === null || Object.hasOwn(data, 'units') ? {} : { units }
}

/** The group of the public schemas: application, model, subtype, functional; no path has a dot within a name. */
function groupOf({ code, model }: Calculation): string | null {
  if (model === null) return null
  return [code.name, model.type, model.subtype, model.functional].join(':').replaceAll('.', '_')
}

function precisionOf(precision: Precision): JsonObject {
  return JSON.parse(JSON.stringify(precision)) as JsonObject
}

function methodDocument({ code, model }: Calculation, { type, subtype, precision, potentials }: Method): JsonObject {
  const functional = model === null ? [] : [model.subtype, model.functional]
  return {
    name: [code.name, ...functional, subtype].join(' '),
    type,
    subtype,
    precision: precisionOf(precision),
    data: { pseudo: potentials.map(({ element, title }) => ({ element, name: title })) },
    ...(model === null ? {} : { model: { ...model } }),
  }
}

function jobDocument(calculation: Calculation): JsonObject {
  const { code, model, method, id, inputs, times, isWhole, isConverged, rest } = calculation
  const application = { name: code.name, ...(code.version === null ? {} : { version: code.version }) }
  const subworkflow = {
    name: code.name,
    application,
    ...(model === null
      ? {}
      : {
          model: { ...model, ...(method === null ? {} : { method: { type: method.type, subtype: method.subtype } }) },
        }),
  }
  return {
    name: nameOf(calculation),
    status: isWhole ? 'finished' : 'error',
    workflow: { name: code.name, subworkflows: [subworkflow] },
    ...(Object.keys(inputs).length === 0 ? {} : { inputs }),
    ...times,
    isConverged,
    ...(id === undefined ? {} : { externalId: id }),
    ...(Object.keys(rest.values).length === 0 ? {} : { source: rest.values }),
    ...(rest.leftOut.length === 0 ? {} : { leftOut: rest.leftOut as readonly Json[] }),
  }
}

function nameOf({ code, model, final, initial }: Calculation): string {
  const crystal = final ?? initial
  const formula = crystal === null ? '' : String(materialOf(crystal).name)
  return [formula, code.name, model?.functional ?? ''].filter((part) => part !== '').join(' ')
}
