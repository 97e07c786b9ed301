import { useRef, useState } from 'preact/hooks'
import { ask } from '../../api/client.ts'
import { announce } from '../../app/announce.ts'
import { me } from '../../app/session.ts'
import { Field } from '../../parts/field.tsx'
import { RefusalBox } from '../../parts/refusal-box.tsx'

/** Changes the password. */
export function PasswordForm({ onChange }: { readonly onChange: () => Promise<void> }) {
  const [error, setError] = useState<unknown>(null)
  const [outcome, setOutcome] = useState('')
  const [isBusy, setBusy] = useState(false)
  const heading = useRef<HTMLHeadingElement>(null)

  async function change(event: SubmitEvent): Promise<void> {
    event.preventDefault()
    const form = event.currentTarget as HTMLFormElement
    const typed = new FormData(form)
    const body = { currentPassword: String(typed.get('current')), password: String(typed.get('password')) }
    setBusy(true)
    setError(null)
    setOutcome('')
    try {
      const { data } = await ask<{ readonly ended: number }>('POST', '/users/me/password', { body })
      const words = `Your password is changed. ${endedWords(data.ended)}`
      setOutcome(words)
      announce(words)
      form.reset()
      heading.current?.focus()
      await onChange()
    } catch (refused) {
      setError(refused)
    } finally {
      setBusy(false)
    }
  }

  return (
    <section aria-labelledby="password">
      <h2 id="password" ref={heading} tabIndex={-1}>
        Password
      </h2>
      <form onSubmit={(event) => void change(event)}>
        {/* What keeps passwords wants to know whose it is. */}
        <input
          type="text"
          autocomplete="username"
          value={me.value?.user.entity.name}
          readOnly
          hidden
          aria-label="User name"
        />
        <div class="row">
          <Field label="Current password">
            <input name="current" type="password" required autocomplete="current-password" />
          </Field>
          <Field label="New password" hint="12 characters or more; several words are easy to remember.">
            <input name="password" type="password" required minLength={12} autocomplete="new-password" />
          </Field>
          <button type="submit" disabled={isBusy}>
            Change password
          </button>
        </div>
        {outcome !== '' && <p class="good">{outcome}</p>}
        {error !== null && <RefusalBox error={error} />}
      </form>
    </section>
  )
}

function endedWords(ended: number): string {
  if (ended === 0) return 'No other session was open.'
  return ended === 1 ? 'Your other session is over.' : `Your ${ended} other sessions are over.`
}
