import { useState } from 'preact/hooks'
import { ask, Refusal } from '../../api/client.ts'
import { announce } from '../../app/announce.ts'
import { navigate } from '../../app/router.tsx'
import { noteWrite } from '../../app/undo.ts'
import { PageTitle } from '../../parts/page-title.tsx'
import { EditForm } from './edit-form.tsx'
import type { Fields } from './merge.ts'
import './edit.css'

/** What most methods have; the rest is theirs. */
const BEGUN: Fields = { name: '', type: 'pseudopotential', subtype: 'paw', data: {} }

/** A method that is not there yet. */
export function NewMethodPage() {
  const [record, setRecord] = useState(BEGUN)
  const [error, setError] = useState<Refusal | null>(null)
  const [isBusy, setBusy] = useState(false)

  async function save(next: Fields): Promise<void> {
    setBusy(true)
    setError(null)
    setRecord(next)
    try {
      // Without a name it gets one by its type.
      const { name, ...unnamed } = next
      const { data } = await ask<{ _id: string }>('POST', '/methods', { body: name === '' ? unnamed : next })
      noteWrite()
      announce('Saved.')
      navigate(`/methods/${encodeURIComponent(data._id)}`)
    } catch (refusal) {
      setBusy(false)
      if (!(refusal instanceof Refusal)) throw refusal
      setError(refusal)
    }
  }

  return (
    <section class="edit">
      <PageTitle help="newMethod">New method</PageTitle>
      <EditForm record={record} error={error} isBusy={isBusy} back="/methods" onSave={(next) => void save(next)} />
    </section>
  )
}
