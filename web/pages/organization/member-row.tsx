import { useState } from 'preact/hooks'
import { ask } from '../../api/client.ts'
import { me } from '../../app/session.ts'
import { AskFirst } from '../../parts/ask-first.tsx'
import { RefusalBox } from '../../parts/refusal-box.tsx'
import { mayManage, type Role, rolesToGive } from './role.ts'

export interface Member {
  readonly user: { readonly _id: string; readonly name: string }
  readonly role: Role
}

interface MemberRowProps {
  readonly accountId: string
  readonly member: Member
  readonly myRole: Role
  /** Told in words what has changed. */
  readonly onChange: (words: string) => Promise<void>
  /** Called when the member who left is who looks at this. */
  readonly onLeave: () => Promise<void>
}

/** A member, whose role is changed and who is let go by those who may. */
export function MemberRow({ accountId, member: { user, role }, myRole, onChange, onLeave }: MemberRowProps) {
  const [wanted, setWanted] = useState<Role | null>(null)
  const [error, setError] = useState<unknown>(null)
  const isMyself = user._id === me.value?.user.entity._id
  const roles = rolesToGive(myRole, role, isMyself)
  const path = `/accounts/${encodeURIComponent(accountId)}/members/${encodeURIComponent(user._id)}` as const

  async function give(next: Role): Promise<void> {
    setError(null)
    try {
      await ask('PUT', `/accounts/${encodeURIComponent(accountId)}/members/${encodeURIComponent(user._id)}`, {
        body: { role: next },
      })
      setWanted(null)
      await onChange(`${user.name} is ${next} now`)
    } catch (refused) {
      setError(refused)
    }
  }

  async function remove(): Promise<void> {
    await ask('DELETE', path)
    await (isMyself ? onLeave() : onChange(`${user.name} is no member any more`))
  }

  function choose(next: Role): void {
    if (next === 'owner') setWanted(next)
    else void give(next)
  }

  return (
    <li>
      <div>
        <strong>{user.name}</strong>
        {isMyself && <span class="badge">you</span>}
        {roles.length === 0 && <small>{role}</small>}
      </div>
      {roles.length > 0 && (
        <select
          aria-label={`Role of ${user.name}`}
          value={wanted ?? role}
          onChange={({ currentTarget }) => choose(currentTarget.value as Role)}
        >
          {roles.map((one) => (
            <option key={one} value={one}>
              {one}
            </option>
          ))}
        </select>
      )}
      {wanted === 'owner' && (
        <span class="ask-first" role="group" aria-label="Pass on the ownership">
          {user.name} will own it, and you be an administrator.{' '}
          <button type="button" class="danger" onClick={() => void give('owner')}>
            Pass it on
          </button>{' '}
          <button type="button" onClick={() => setWanted(null)}>
            Keep
          </button>
        </span>
      )}
      {role !== 'owner' && (isMyself || mayManage(myRole)) && (
        <AskFirst
          label={isMyself ? 'Leave' : 'Remove'}
          name={isMyself ? 'Leave' : `Remove ${user.name}`}
          question={isMyself ? 'You lose access at once.' : 'They lose access at once.'}
          yes={isMyself ? 'Leave it' : 'Remove them'}
          onYes={remove}
        />
      )}
      {error !== null && <RefusalBox error={error} />}
    </li>
  )
}
