import { useState } from 'preact/hooks'
import { ask } from '../../api/client.ts'
import { calledBy } from '../../app/called-by.ts'
import { me } from '../../app/session.ts'
import { Field } from '../../parts/field.tsx'
import { RefusalBox } from '../../parts/refusal-box.tsx'
import type { CreatedToken } from './new-token.tsx'

/** For how long a token may work. */
const LIVES = [
  ['7', '7 days'],
  ['30', '30 days'],
  ['90', '90 days'],
  ['365', 'a year'],
  ['', 'no end'],
] as const

/** Asks for what a new token needs and makes it. */
export function TokenForm({ onMade }: { readonly onMade: (created: CreatedToken) => void }) {
  const [error, setError] = useState<unknown>(null)
  const [isBusy, setBusy] = useState(false)

  async function create(event: SubmitEvent): Promise<void> {
    event.preventDefault()
    const form = event.currentTarget as HTMLFormElement
    setBusy(true)
    setError(null)
    try {
      onMade((await ask<CreatedToken>('POST', '/tokens', { body: bodyOf(new FormData(form)) })).data)
      // Only the name is of this one: who makes several wants the rest again.
      const name = form.elements.namedItem('name')
      if (name instanceof HTMLInputElement) name.value = ''
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
        <Field label="Works for">
          <select name="days">
            {LIVES.map(([days, words]) => (
              <option key={days} value={days} selected={days === '90'}>
                {words}
              </option>
            ))}
          </select>
        </Field>
        <Field label="In">
          <select name="account">
            <option value="">all my accounts</option>
            {me.value?.accounts.map(({ entity }) => (
              <option key={entity._id} value={entity._id}>
                {calledBy(entity)} only
              </option>
            ))}
          </select>
        </Field>
        <Field label="May">
          <select name="may">
            <option value="write">read and write</option>
            <option value="read">read</option>
          </select>
        </Field>
        <button type="submit" disabled={isBusy}>
          Generate token
        </button>
      </div>
      {error !== null && <RefusalBox error={error} />}
    </form>
  )
}

function bodyOf(typed: FormData) {
  const textOf = (name: string) => String(typed.get(name) ?? '')
  const [days, accountId] = [textOf('days'), textOf('account')]
  return {
    name: textOf('name'),
    expiresInDays: days === '' ? null : Number(days),
    readOnly: textOf('may') === 'read',
    ...(accountId === '' ? {} : { accountId }),
  }
}
