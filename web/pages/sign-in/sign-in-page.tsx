import { useEffect, useRef, useState } from 'preact/hooks'
import { announce } from '../../app/announce.ts'
import { notice, signIn } from '../../app/session.ts'
import { Field } from '../../parts/field.tsx'
import { RefusalBox } from '../../parts/refusal-box.tsx'

/** The login; what was asked for is shown after it, at the same address. */
export function SignInPage() {
  const [error, setError] = useState<unknown>(null)
  const [isBusy, setBusy] = useState(false)
  const first = useRef<HTMLInputElement>(null)
  useEffect(() => {
    document.title = 'Log in · Quarry'
    announce('Log in')
    first.current?.focus()
  }, [])

  async function submit(event: SubmitEvent): Promise<void> {
    event.preventDefault()
    const form = new FormData(event.currentTarget as HTMLFormElement)
    setBusy(true)
    setError(null)
    try {
      await signIn(String(form.get('username')), String(form.get('password')))
    } catch (refused) {
      setError(refused)
      setBusy(false)
    }
  }

  return (
    <section class="narrow">
      <h1>Log in</h1>
      {notice.value !== null && <p role="status">{notice.value}</p>}
      <form onSubmit={(event) => void submit(event)}>
        <Field label="User name or e-mail">
          <input
            ref={first}
            name="username"
            required
            autocomplete="username"
            autocapitalize="none"
            spellcheck={false}
          />
        </Field>
        <Field label="Password">
          <input name="password" type="password" required autocomplete="current-password" />
        </Field>
        <button type="submit" disabled={isBusy}>
          Log in
        </button>
        {error !== null && <RefusalBox error={error} />}
      </form>
      <p class="fine">
        The first start of the server printed a user name and a password. An operator makes more with{' '}
        <code>quarry user create</code>.
      </p>
    </section>
  )
}
