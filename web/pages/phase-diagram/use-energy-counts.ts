import { type Question, useAnswer } from '../../api/use-answer.ts'
import { writes } from '../../app/undo.ts'

interface Counted {
  readonly facets: readonly { readonly values?: readonly { readonly value: unknown; readonly count: number }[] }[]
}

/** Values of a field among the materials that have energies, with how many have each, the most frequent first; null until they are there. */
export function useEnergyCounts(path: string, limit: number): ReadonlyMap<string, number> | null {
  const query = { 'properties.total_energy.value': { $exists: true } }
  const question: Question = { method: 'POST', path: '/materials/facets', body: { query, facets: [{ path, limit }] } }
  const { data, error } = useAnswer<Counted>(question, writes.value)
  if (data === null && error === undefined) return null
  const values = data?.facets[0]?.values ?? []
  return new Map(values.map(({ value, count }) => [String(value), count]))
}
