import { useEffect } from 'preact/hooks'
import { handedOver } from '../../app/handed-over.ts'
import { me } from '../../app/session-state.ts'
import { PageTitle } from '../../parts/page-title.tsx'
import { DropPlace } from './drop-place.tsx'
import { items } from './import-items.ts'
import { BatchSection } from './runs/batch-section.tsx'
import { addHanded, batches } from './runs/import-batches.ts'
import { StructuresSection } from './structures-section.tsx'
import './import.css'

/** Structures and calculations: dropped, chosen or pasted, looked at, and stored where somebody says so. */
export function ImportPage() {
  const given = handedOver.value
  useEffect(() => {
    if (given.length === 0) return
    handedOver.value = []
    void addHanded(given)
  }, [given])
  const own = batches.value.filter(({ userId }) => userId === me.value?.user.entity._id)
  return (
    <section>
      <PageTitle help="import">Import</PageTitle>
      <DropPlace />
      {own.map((batch) => (
        <BatchSection key={batch.key} batch={batch} />
      ))}
      {items.value.length > 0 && <StructuresSection items={items.value} />}
    </section>
  )
}
