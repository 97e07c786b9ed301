import { functionalText, modelText, programText } from '../../../src/page/property-words.ts'
import { valueAt } from '../../parts/value-at.ts'

/** A job as the page reads it: whatever the record has. */
export type Job = Readonly<Record<string, unknown>>

/** What one part of the workflow computes with. */
export interface JobStep {
  readonly program: string
  readonly model: string
  /** Empty where it is not told. */
  readonly functional: string
  readonly method: string
}

/** Parts of the workflow that name a program, in words. */
export function stepsOf(job: Job): readonly JobStep[] {
  const steps = valueAt(job, 'workflow.subworkflows')
  return (Array.isArray(steps) ? steps : []).flatMap((step) => {
    const name = textAt(step, 'application.name')
    if (name === null) return []
    return [
      {
        program: [programText(name), textAt(step, 'application.version')].filter((word) => word !== null).join(' '),
        model: modelWords(step),
        functional: functionalText(textAt(step, 'model.functional') ?? ''),
        method: ['type', 'subtype']
          .map((field) => textAt(step, `model.method.${field}`))
          .filter((word) => word !== null)
          .join(', '),
      },
    ]
  })
}

/** `PBE (GGA), DFT`, as far as it is told. */
function modelWords(step: unknown): string {
  const [type = '', subtype = '', functional = ''] = ['type', 'subtype', 'functional'].map(
    (field) => textAt(step, `model.${field}`) ?? '',
  )
  const named = functional === '' ? modelText(subtype) : `${functionalText(functional)} (${modelText(subtype)})`
  return [named, modelText(type)].filter((words) => words !== '').join(', ')
}

/** Where a job stands, in words. */
export function statusWords(job: Job): string {
  const status = typeof job['status'] === 'string' ? job['status'].replaceAll('-', ' ') : 'not known'
  if (job['isConverged'] === true) return `${status}, converged`
  return job['isConverged'] === false ? `${status}, not converged` : status
}

/** Whether what a job gives is to be taken with care. */
export function isDoubtful({ status, isConverged }: Job): boolean {
  return isConverged === false || ['error', 'timeout', 'terminated'].includes(String(status))
}

/** How long a job took, in words; null where it does not say. */
export function durationWords({ wallSeconds }: Job): string | null {
  if (typeof wallSeconds !== 'number') return null
  if (wallSeconds < 60) return `${Number(wallSeconds.toPrecision(3))} s`
  const minutes = Math.round(wallSeconds / 60)
  return minutes < 60 ? `${minutes} min` : `${Math.floor(minutes / 60)} h ${minutes % 60} min`
}

/** Ids of the materials that a job is about. */
export function materialsOf(job: Job): readonly string[] {
  const list = Array.isArray(job['_materials']) ? job['_materials'] : []
  const ids = [job['_material'], ...list].flatMap((one) => textAt(one, '_id') ?? [])
  return [...new Set(ids)]
}

/** Texts of a list: what was read and is in no record, what the reader of the output warned of. */
export function textsOf(list: unknown): readonly string[] {
  return Array.isArray(list) ? list.filter((text) => typeof text === 'string') : []
}

export function textAt(value: unknown, path: string): string | null {
  const text = valueAt(value, path)
  return typeof text === 'string' && text !== '' ? text : null
}
