import { useCallback, useEffect, useState } from 'preact/hooks'
import { ask } from '../../api/client.ts'
import { Empty } from '../../parts/empty.tsx'
import { RefusalBox } from '../../parts/refusal-box.tsx'
import { Skeleton } from '../../parts/skeleton.tsx'
import { type CreatedToken, NewToken } from './new-token.tsx'
import { TokenForm } from './token-form.tsx'
import { type Token, TokensTable } from './tokens-table.tsx'

/** The preferences of the account: API tokens are made, listed and deleted here; logins of other browsers, too. */
export function AccountPage() {
  const [fresh, setFresh] = useState<CreatedToken | null>(null)
  const [tokens, setTokens] = useState<readonly Token[] | null>(null)
  const [error, setError] = useState<unknown>(null)
  const list = useCallback(
    () => ask<readonly Token[]>('GET', '/tokens').then(({ data }) => setTokens(data), setError),
    [],
  )
  useEffect(() => void list(), [list])

  function made(created: CreatedToken): void {
    setFresh(created)
    void list()
  }

  return (
    <section>
      <h1>Account</h1>
      <h2>New API token</h2>
      <p>For scripts and notebooks: a token stands for you without your password.</p>
      <TokenForm onMade={made} />
      {fresh !== null && <NewToken created={fresh} onDone={() => setFresh(null)} />}
      {error !== null && <RefusalBox error={error} />}
      {tokens === null ? <Skeleton /> : <Lists tokens={tokens} onChange={list} />}
    </section>
  )
}

function Lists({ tokens, onChange }: { readonly tokens: readonly Token[]; readonly onChange: () => Promise<void> }) {
  const api = tokens.filter(({ kind }) => kind === 'api')
  const sessions = tokens.filter(({ kind }) => kind === 'session')
  return (
    <>
      <h2>API tokens</h2>
      {api.length === 0 ? (
        <Empty>You have no API tokens.</Empty>
      ) : (
        <TokensTable title="API tokens" tokens={api} onChange={onChange} />
      )}
      <h2>Logins</h2>
      <p class="fine">Browsers and programs that logged in with your password, this one included.</p>
      <TokensTable title="Logins" tokens={sessions} onChange={onChange} />
    </>
  )
}
