import { useState } from 'preact/hooks'
import { API, ROOT } from '../../api/client.ts'
import { chosenAccount, me } from '../../app/session.ts'
import { CopyButton } from '../../parts/copyable.tsx'
import { samplesOf } from '../../query/samples.ts'
import type { Operation } from './description.ts'
import { bodyTypeOf, callOf, type Request } from './request.ts'

interface SamplesProps {
  readonly operation: Operation
  readonly request: Request
}

/** The same request in several languages, one at a time. */
export function Samples({ operation, request }: SamplesProps) {
  const [chosen, setChosen] = useState('curl')
  const account = chosenAccount.value ?? me.value?.user.entity.defaultAccountId
  const call = callOf(operation, request, { root: ROOT, api: API }, account)
  const samples = call === null ? [{ language: 'curl', text: linesSample(operation, request) }] : samplesOf(call)
  const shown = samples.find(({ language }) => language === chosen) ?? samples[0]
  if (shown === undefined) return null
  return (
    <div class="samples">
      <div class="choice" role="group" aria-label="Language">
        {samples.map(({ language }) => (
          <button
            key={language}
            type="button"
            class="plain"
            aria-pressed={language === shown.language}
            onClick={() => setChosen(language)}
          >
            {language}
          </button>
        ))}
      </div>
      <div class="copyable">
        <pre tabIndex={0} role="region" aria-label={`${operation.id} with ${shown.language}`}>
          {shown.text}
        </pre>
        <CopyButton label={`${shown.language} sample`} text={shown.text} />
      </div>
    </div>
  )
}

/** What sends a file. */
function linesSample(operation: Operation, { path }: Request): string {
  return [
    `curl -X ${operation.method} '${ROOT}${path}'`,
    '-H "X-Account-Id: $ACCOUNT" -H "X-Auth-Token: $TOKEN"',
    `-H 'Content-Type: ${bodyTypeOf(operation)}' --data-binary @FILE`,
  ].join(' \\\n  ')
}
