import { useState } from 'preact/hooks'
import { pagePath } from '../../../src/page/addresses.ts'
import { ask } from '../../api/client.ts'
import { announce } from '../../app/announce.ts'
import { Link, navigate } from '../../app/router.tsx'
import { chooseAccount, chosenAccount, findSession, me } from '../../app/session.ts'
import { Field } from '../../parts/field.tsx'
import { RefusalBox } from '../../parts/refusal-box.tsx'

/** The accounts to work in: one's own, and those of organizations. */
export function AccountsSection() {
  const known = me.value
  if (known === null || known === undefined) return null
  const current = chosenAccount.value ?? known.user.entity.defaultAccountId

  function choose(id: string, name: string): void {
    chooseAccount(id)
    announce(`Acting in ${name}`)
  }

  return (
    <section aria-labelledby="accounts">
      <h2 id="accounts">Accounts</h2>
      <p>
        Records belong to accounts. What you list, make and change in this tab is in the one that you act in; public
        records are in every list.
      </p>
      <ul class="rows">
        {known.accounts.map(({ entity: { _id, name, type }, role }) => (
          <li key={_id}>
            <label>
              <input type="radio" name="account" checked={_id === current} onChange={() => choose(_id, name)} />{' '}
              <strong>{name}</strong>
              <small>{type === 'personal' ? 'your own account' : `organization; you are its ${role}`}</small>
            </label>
            {type === 'organization' && <Link to={pagePath('organization', { id: _id })}>Members</Link>}
          </li>
        ))}
      </ul>
      <OrganizationForm />
    </section>
  )
}

function OrganizationForm() {
  const [error, setError] = useState<unknown>(null)
  const [isBusy, setBusy] = useState(false)

  async function create(event: SubmitEvent): Promise<void> {
    event.preventDefault()
    const name = String(new FormData(event.currentTarget as HTMLFormElement).get('name'))
    setBusy(true)
    setError(null)
    try {
      const { data } = await ask<{ readonly _id: string }>('POST', '/accounts', { body: { name } })
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
        <Field label="New organization" hint="An account with members, who share its records.">
          <input name="name" required autocomplete="off" placeholder="surface-lab" />
        </Field>
        <button type="submit" disabled={isBusy}>
          Create organization
        </button>
      </div>
      {error !== null && <RefusalBox error={error} />}
    </form>
  )
}
