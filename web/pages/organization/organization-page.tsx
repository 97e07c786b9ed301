import { useCallback, useEffect, useRef, useState } from 'preact/hooks'
import { type PageAddress, pagePath } from '../../../src/page/addresses.ts'
import { ask } from '../../api/client.ts'
import { announce } from '../../app/announce.ts'
import { calledBy } from '../../app/called-by.ts'
import { Link, navigate } from '../../app/router.tsx'
import { chooseAccount, chosenAccount, findSession, me } from '../../app/session.ts'
import { AskFirst } from '../../parts/ask-first.tsx'
import { Field } from '../../parts/field.tsx'
import { PageTitle } from '../../parts/page-title.tsx'
import { RefusalBox } from '../../parts/refusal-box.tsx'
import { Skeleton } from '../../parts/skeleton.tsx'
import '../account/account.css'
import { type Member, MemberRow } from './member-row.tsx'
import { OrganizationWords, type Words } from './organization-words.tsx'
import { mayManage, type Role } from './role.ts'

interface Organization extends Words {
  readonly type: 'personal' | 'organization'
  readonly role: Role
}

/** An organization: who belongs to it, and what they may. */
export function OrganizationPage({ address }: { readonly address: PageAddress }) {
  const id = address.at['id'] ?? ''
  const [organization, setOrganization] = useState<Organization | null>(null)
  const [members, setMembers] = useState<readonly Member[]>([])
  const [error, setError] = useState<unknown>(null)
  const heading = useRef<HTMLHeadingElement>(null)

  const load = useCallback(async () => {
    try {
      const [account, list] = await Promise.all([
        ask<Organization>('GET', `/accounts/${encodeURIComponent(id)}`),
        ask<readonly Member[]>('GET', `/accounts/${encodeURIComponent(id)}/members`),
      ])
      setOrganization(account.data)
      setMembers(list.data)
    } catch (refused) {
      setError(refused)
    }
  }, [id])
  useEffect(() => void load(), [load])

  /** Whoever has left acts in their own account again. */
  async function leave(): Promise<void> {
    if (chosenAccount.value === id) chooseAccount(me.value?.user.entity.defaultAccountId ?? '')
    await findSession()
    navigate(pagePath('account'))
  }

  async function changed(words: string): Promise<void> {
    announce(words)
    heading.current?.focus()
    await load()
  }

  /** The bar calls it by its title, too. */
  async function retold(): Promise<void> {
    announce('Title and description are saved')
    await Promise.all([load(), findSession()])
  }

  async function remove(): Promise<void> {
    await ask('DELETE', `/accounts/${encodeURIComponent(id)}`)
    announce('The organization is deleted')
    await leave()
  }

  if (error !== null) return <RefusalBox error={error} />
  if (organization === null) return <Skeleton />
  const isManager = mayManage(organization.role)
  return (
    <div class="account">
      <p class="fine">
        <Link to={pagePath('account')}>Account</Link>
      </p>
      <PageTitle help="organization">{calledBy(organization)}</PageTitle>
      <OrganizationWords of={organization} mayChange={isManager} onChange={retold} />
      {organization.title !== null && <p class="fine">Programs call it {organization.name}.</p>}
      <p>Its members see, create, change and delete its records. You are its {organization.role}.</p>
      <section aria-labelledby="members">
        <h2 id="members" ref={heading} tabIndex={-1}>
          Members
        </h2>
        <ul class="rows">
          {members.map((member) => (
            <MemberRow
              key={member.user._id}
              accountId={id}
              member={member}
              myRole={organization.role}
              onChange={changed}
              onLeave={leave}
            />
          ))}
        </ul>
        {isManager && <MemberForm accountId={id} onAdded={(name) => changed(`${name} is a member`)} />}
      </section>
      {organization.role === 'owner' && (
        <section aria-labelledby="deletion">
          <h2 id="deletion">Delete</h2>
          <p>Only an organization without records can be deleted, removed ones included.</p>
          <AskFirst
            label="Delete the organization"
            question={`${calledBy(organization)} will be gone, with its memberships and tokens.`}
            yes="Delete it"
            onYes={remove}
          />
        </section>
      )}
    </div>
  )
}

interface MemberFormProps {
  readonly accountId: string
  readonly onAdded: (name: string) => Promise<void>
}

/** Takes a user in. */
function MemberForm({ accountId, onAdded }: MemberFormProps) {
  const [error, setError] = useState<unknown>(null)

  async function add(event: SubmitEvent): Promise<void> {
    event.preventDefault()
    const form = event.currentTarget as HTMLFormElement
    const typed = new FormData(form)
    const [user, role] = [String(typed.get('user')), String(typed.get('role'))]
    setError(null)
    try {
      const path = `/accounts/${encodeURIComponent(accountId)}/members/${encodeURIComponent(user)}` as const
      const { data } = await ask<Member>('PUT', path, { body: { role } })
      form.reset()
      await onAdded(data.user.name)
    } catch (refused) {
      setError(refused)
    }
  }

  return (
    <form onSubmit={(event) => void add(event)}>
      <div class="row">
        <Field label="User" hint="The name with which they log in.">
          <input name="user" required autocomplete="off" />
        </Field>
        <Field label="Role">
          <select name="role">
            <option value="member">member</option>
            <option value="administrator">administrator</option>
          </select>
        </Field>
        <button type="submit">Add member</button>
      </div>
      {error !== null && <RefusalBox error={error} />}
    </form>
  )
}
