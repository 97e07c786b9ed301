import { pagePath } from '../../../src/page/addresses.ts'
import { announce } from '../../app/announce.ts'
import { calledBy } from '../../app/called-by.ts'
import { Link } from '../../app/router.tsx'
import { chooseAccount, chosenAccount, type Me, me } from '../../app/session.ts'
import { OrganizationForm } from './organization-form.tsx'

/** The accounts to work in: one's own, and those of organizations. */
export function AccountsSection() {
  const known = me.value
  if (known === null || known === undefined) return null
  const current = chosenAccount.value ?? known.user.entity.defaultAccountId

  function choose(account: Me['accounts'][number]['entity']): void {
    chooseAccount(account._id)
    announce(`Acting in ${calledBy(account)}`)
  }

  return (
    <section aria-labelledby="accounts">
      <h2 id="accounts">Accounts</h2>
      <p>
        Records belong to accounts. What you list, make and change in this tab is in the one that you act in; public
        records are in every list.
      </p>
      <ul class="rows">
        {known.accounts.map(({ entity, role }) => (
          <li key={entity._id}>
            <label>
              <input type="radio" name="account" checked={entity._id === current} onChange={() => choose(entity)} />{' '}
              <strong>{calledBy(entity)}</strong>
              <small>
                {entity.type === 'personal' ? 'your own account' : `organization ${entity.name}; you are its ${role}`}
              </small>
            </label>
            {entity.type === 'organization' && <Link to={pagePath('organization', { id: entity._id })}>Members</Link>}
          </li>
        ))}
      </ul>
      <OrganizationForm />
    </section>
  )
}
