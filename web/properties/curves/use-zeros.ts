import { useMemo, useState } from 'preact/hooks'
import { reading, useAnswer } from '../../api/use-answer.ts'
import type { ChoiceProps } from '../../parts/choice.tsx'
import type { PropertyRecord } from '../shown-properties.ts'
import { type Zero, zerosIn } from './zeros.ts'

const AS_COMPUTED = 'as computed'

/** Energies that may count as zero, from the same job, and the choice among them. */
export function useZeros(record: PropertyRecord): {
  readonly zeros: readonly Zero[]
  readonly choice: ChoiceProps<string>
} {
  const jobId = record.source?.info?.jobId
  const isElectronic = !record.data.name.startsWith('phonon')
  const { data } = useAnswer<readonly PropertyRecord[]>(
    reading(jobId === undefined || !isElectronic ? null : '/properties', {
      query: JSON.stringify({ 'source.info.jobId': jobId, 'data.name': { $in: ['fermi_energy', 'band_gaps'] } }),
      projection: JSON.stringify({ fields: { data: 1 } }),
      limit: '10',
    }),
  )
  const zeros = useMemo(() => zerosIn((data ?? []).map((one) => one.data)), [data])
  const [wanted, setWanted] = useState<string | null>(null)
  const choices = [...zeros.map(({ name }) => name), AS_COMPUTED]
  const chosen = wanted !== null && choices.includes(wanted) ? wanted : (choices[0] ?? AS_COMPUTED)
  return { zeros, choice: { legend: 'Energies from', choices, chosen, onChoose: setWanted } }
}
