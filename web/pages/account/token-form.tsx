import { useState } from 'preact/hooks'
import { ask } from '../../api/client.ts'
import { Field } from '../../parts/field.tsx'
import { RefusalBox } from '../../parts/refusal-box.tsx'
import type { CreatedToken } from './new-token.tsx'

/** Asks for what a new token needs and makes it. */
export function TokenForm({ onMade }: { readonly onMade: (created: CreatedToken) => void }) {
  const [error, setError] = useState<unknown>(null)
  const [isBusy, setBusy] = useState(false)

  async function create(event: SubmitEvent): Promise<void> {
    event.preventDefault()
    const form = event.currentTarget as HTMLFormElement
    const typed = new FormData(form)
    const days = String(typed.get('days') ?? '')
    const body = {
      name: String(typed.get('name') ?? ''),
      expiresInDays: days === '' ? null : Number(days),
      readOnly: typed.has('readOnly'),
    }
    setBusy(true)
    setError(null)
    try {
      onMade((await ask<CreatedToken>('POST', '/tokens', { body })).data)
      form.reset()
    } catch (refused) {
      setError(refused)
    } finally {
      setBusy(false)
    }
  }

  return (
    <form onSubmit={(event) => void create(event)}>
      <div class="row">
        <Field label="Name" hint="By which you will know it.">
          <input name="name" required maxLength={100} autocomplete="off" placeholder="laptop" />
        </Field>
        <Field label="Expires in days" hint="Empty for never.">
          <input name="days" type="number" min={1} max={3650} defaultValue="90" inputMode="numeric" />
        </Field>
        <label class="check">
          <input name="readOnly" type="checkbox" /> Read only
        </label>
        <button type="submit" disabled={isBusy}>
          Generate token
        </button>
      </div>
      {error !== null && <RefusalBox error={error} />}
    </form>
  )
}
