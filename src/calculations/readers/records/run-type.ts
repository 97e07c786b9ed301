import type { Model } from '../../calculation.ts'

/** Run types as VASP's users and the Materials Project write them, in small letters, and the models that they mean. */
const MODELS: Readonly<Record<string, Model>> = {
  lda: dft('lda', 'pz'),
  pbe: dft('gga', 'pbe'),
  pbesol: dft('gga', 'pbesol'),
  am05: dft('gga', 'am05'),
  rpbe: dft('gga', 'rpbe'),
  scan: dft('meta-gga', 'scan'),
  rscan: dft('meta-gga', 'rscan'),
  r2scan: dft('meta-gga', 'r2scan'),
  'tb-mbj': dft('meta-gga', 'tb-mbj'),
  optb88vdw: dft('gga', 'optb88-vdw'),
  hse03: dft('hybrid', 'hse03'),
  hse06: dft('hybrid', 'hse06'),
  pbe0: dft('hybrid', 'pbe0'),
  b3lyp: dft('hybrid', 'b3lyp'),
}

function dft(subtype: string, functional: string): Model {
  return { type: 'dft', subtype, functional }
}

/**
 * The model of a run type, `GGA+U` or `R2SCAN`; null where it names none. `GGA` alone is what the potentials were made with, where that is PBE:
 * `potentialFunctional` is their functional.
 */
export function modelOfRunType(runType: string, potentialFunctional?: string): Model | null {
  const [, name = '', u = ''] = /^([^+_]*)([+_]u)?$/.exec(runType.trim().toLowerCase()) ?? []
  const isPlain = name === 'gga'
  const model = isPlain ? ofPotentials(potentialFunctional) : Object.hasOwn(MODELS, name) ? MODELS[name] : undefined
  if (model === undefined) return null
  return u === '' ? model : { ...model, functional: `${model.functional}+u` }
}

function ofPotentials(functional: string | undefined): Model | undefined {
  return functional !== undefined && /^pbe(_\d+)?$/i.test(functional) ? MODELS.pbe : undefined
}
