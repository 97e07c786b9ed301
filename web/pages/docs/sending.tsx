import { useEffect, useState } from 'preact/hooks'
import { API, ROOT } from '../../api/client.ts'
import { chosenAccount, me } from '../../app/session.ts'
import { CopyButton } from '../../parts/copyable.tsx'
import { samplesOf } from '../../query/samples.ts'
import { callOf, type Request, requestOf } from './request.ts'
import { TryIt } from './try-it.tsx'

/** What is done with the form of an operation: it is written for programs, and sent. */
export function Sending({ form }: { readonly form: HTMLFormElement }) {
  const [request, setRequest] = useState(() => readForm(form))
  useEffect(() => {
    const read = () => setRequest(readForm(form))
    form.addEventListener('input', read)
    return () => form.removeEventListener('input', read)
  }, [form])
  return (
    <>
      <Samples name={form.parentElement?.id ?? ''} request={request} />
      <TryIt request={request} />
    </>
  )
}

function readForm(form: HTMLFormElement): Request {
  const { method = '', path = '', type = '', open, answer } = form.dataset
  const asked = { method, path, type, isOpen: open === 'true', answer: answer === 'text' ? answer : 'json' } as const
  return requestOf(asked, [...new FormData(form)] as [string, string][])
}

/** The same request in several languages, one at a time. */
function Samples({ name, request }: { readonly name: string; readonly request: Request }) {
  const [chosen, setChosen] = useState('curl')
  const account = chosenAccount.value ?? me.value?.user.entity.defaultAccountId
  const call = callOf(request, { root: ROOT, api: API }, account)
  const samples = call === null ? [{ language: 'curl', text: fileSample(request) }] : samplesOf(call)
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
        <pre tabIndex={0} role="region" aria-label={`${name} with ${shown.language}`}>
          {shown.text}
        </pre>
        <CopyButton label={`${shown.language} sample`} text={shown.text} />
      </div>
    </div>
  )
}

/** What sends a file. */
function fileSample({ method, path, type }: Request): string {
  return [
    `curl -X ${method} '${ROOT}${path}'`,
    '-H "X-Account-Id: $ACCOUNT" -H "X-Auth-Token: $TOKEN"',
    `-H 'Content-Type: ${type}' --data-binary @FILE`,
  ].join(' \\\n  ')
}
