import { useCallback, useEffect, useState } from 'preact/hooks'
import { ask } from '../../api/client.ts'
import { me } from '../../app/session.ts'
import { PageTitle } from '../../parts/page-title.tsx'
import { RefusalBox } from '../../parts/refusal-box.tsx'
import { Skeleton } from '../../parts/skeleton.tsx'
import './account.css'
import { AccountsSection } from './accounts-section.tsx'
import { PasswordForm } from './password-form.tsx'
import { SessionsSection } from './sessions-section.tsx'
import type { Token } from './token.ts'
import { TokensSection } from './tokens-section.tsx'

/** What belongs to a person: tokens, sessions, the password, and the accounts to work in. */
export function AccountPage() {
  const [tokens, setTokens] = useState<readonly Token[] | null>(null)
  const [error, setError] = useState<unknown>(null)
  const list = useCallback(
    () => ask<readonly Token[]>('GET', '/tokens').then(({ data }) => setTokens(data), setError),
    [],
  )
  useEffect(() => void list(), [list])
  const user = me.value?.user.entity
  return (
    <div class="account">
      <PageTitle help="account">Account</PageTitle>
      <p>
        You are <strong>{user?.name}</strong>
        {user?.email ? `, ${user.email}` : ''}.
      </p>
      {error !== null && <RefusalBox error={error} />}
      {tokens === null ? (
        error === null && <Skeleton lines={8} />
      ) : (
        <>
          <TokensSection tokens={tokens.filter(({ kind }) => kind === 'api')} onChange={list} />
          <SessionsSection tokens={tokens.filter(({ kind }) => kind === 'session')} onChange={list} />
        </>
      )}
      <PasswordForm onChange={list} />
      <AccountsSection />
    </div>
  )
}
