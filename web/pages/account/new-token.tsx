import { useEffect, useRef } from 'preact/hooks'
import { addressOf } from '../../api/client.ts'
import { Copyable } from '../../parts/copyable.tsx'

export interface CreatedToken {
  readonly 'X-Account-Id': string
  readonly 'X-Auth-Token': string
  readonly token: { readonly name: string; readonly readOnly: boolean }
}

/** Shows a token the one time that it can be shown, with lines that use it. */
export function NewToken({ created, onDone }: { readonly created: CreatedToken; readonly onDone: () => void }) {
  const { 'X-Account-Id': accountId, 'X-Auth-Token': token } = created
  const heading = useRef<HTMLHeadingElement>(null)
  useEffect(() => heading.current?.focus(), [token])
  return (
    <div class="fresh" role="group" aria-label="New token">
      <h3 ref={heading} tabIndex={-1}>
        Copy the token “{created.token.name}” now
      </h3>
      <p>It is shown this once: the server keeps only its fingerprint. Whoever has it acts in your name.</p>
      <h4>Account id</h4>
      <Copyable label="account id" text={accountId} />
      <h4>Token</h4>
      <Copyable label="token" text={token} />
      <h4>With curl</h4>
      <Copyable label="curl command" text={curlLines(accountId, token)} />
      <h4>With Python</h4>
      <Copyable label="Python lines" text={pythonLines(accountId, token)} />
      <button type="button" onClick={onDone}>
        I have copied it
      </button>
    </div>
  )
}

function curlLines(accountId: string, token: string): string {
  return [
    `curl -G '${addressOf('/materials')}' \\`,
    `  -H 'X-Account-Id: ${accountId}' \\`,
    `  -H 'X-Auth-Token: ${token}' \\`,
    `  --data-urlencode 'query={"formula":"Si"}'`,
  ].join('\n')
}

function pythonLines(accountId: string, token: string): string {
  return [
    'import json, requests',
    `auth = {"X-Account-Id": "${accountId}", "X-Auth-Token": "${token}"}`,
    `answer = requests.get("${addressOf('/materials')}", headers=auth,`,
    '                      params={"query": json.dumps({"formula": "Si"})})',
    'print([material["name"] for material in answer.json()["data"]])',
  ].join('\n')
}
