import type { Calculation } from '../calculation.ts'

/** One calculation as several of its outputs tell of it: the first says what several say. */
export function mergeCalculations(first: Calculation, others: readonly Calculation[]): Calculation {
  return others.reduce(merged, first)
}

function merged(one: Calculation, other: Calculation): Calculation {
  const known = new Set(one.results.map(({ name }) => name))
  return {
    ...one,
    code: { name: one.code.name, version: one.code.version ?? other.code.version },
    initial: one.initial ?? other.initial,
    final: one.final ?? other.final,
    model: one.model ?? other.model,
    method: one.method ?? other.method,
    inputs: { ...other.inputs, ...one.inputs },
    times: { ...other.times, ...one.times },
    isConverged: one.isConverged ?? other.isConverged,
    conditions: { ...other.conditions, ...one.conditions },
    results: [...one.results, ...other.results.filter(({ name }) => !known.has(name))],
    rest: {
      values: { ...other.rest.values, ...one.rest.values },
      leftOut: [...new Set([...one.rest.leftOut, ...other.rest.leftOut])],
    },
    warnings: [...one.warnings, ...other.warnings],
  }
}
