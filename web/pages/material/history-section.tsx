import { RecordHistory } from '../curate/record-history.tsx'
import type { SectionProps } from './section.ts'

/** The versions of the material. */
export function HistorySection({ id, material, address, change }: SectionProps) {
  const numberAt = (name: string) => Number(address.search.get(name) ?? 0)
  return (
    <>
      <h2>History</h2>
      <RecordHistory
        collection="materials"
        id={id}
        state={material['updatedAt']}
        chosen={{ from: numberAt('from'), to: numberAt('to') }}
        onChoose={change}
      />
    </>
  )
}
