import { useState } from 'preact/hooks'
import { pagePath } from '../../../src/page/addresses.ts'
import { ask } from '../../api/client.ts'
import { navigate } from '../../app/router.tsx'
import { findSession } from '../../app/session.ts'
import { Field } from '../../parts/field.tsx'
import { RefusalBox } from '../../parts/refusal-box.tsx'
import { proposedName } from './proposed-name.ts'

/** Makes an organization: its name follows the title until somebody writes another. */
export function OrganizationForm() {
  const [title, setTitle] = useState('')
  const [ownName, setOwnName] = useState<string | null>(null)
  const [error, setError] = useState<unknown>(null)
  const [isBusy, setBusy] = useState(false)
  const name = ownName ?? proposedName(title)

  async function create(event: SubmitEvent): Promise<void> {
    event.preventDefault()
    setBusy(true)
    setError(null)
    try {
      const body = { name, title: title.trim() === '' ? null : title }
      const { data } = await ask<{ readonly _id: string }>('POST', '/accounts', { body })
      await findSession()
      navigate(pagePath('organization', { id: data._id }))
    } catch (refused) {
      setError(refused)
      setBusy(false)
    }
  }

  return (
    <form onSubmit={(event) => void create(event)}>
      <div class="row">
        <Field label="New organization" hint="An account with members, who share its records. What people call it.">
          <input
            value={title}
            maxLength={100}
            autocomplete="off"
            placeholder="Surface Lab 2"
            onInput={({ currentTarget }) => setTitle(currentTarget.value)}
          />
        </Field>
        <Field label="Its name" hint="For programs: letters, digits, hyphens. It stays.">
          <input
            value={name}
            required
            maxLength={64}
            autocomplete="off"
            placeholder="surface-lab-2"
            onInput={({ currentTarget }) => setOwnName(currentTarget.value === '' ? null : currentTarget.value)}
          />
        </Field>
        <button type="submit" disabled={isBusy}>
          Create organization
        </button>
      </div>
      {error !== null && <RefusalBox error={error} />}
    </form>
  )
}
