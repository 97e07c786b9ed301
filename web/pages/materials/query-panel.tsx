import { useEffect, useMemo, useState } from 'preact/hooks'
import { API, ask, Refusal, ROOT, type Warning } from '../../api/client.ts'
import type { KnownField } from '../../editor/completions.ts'
import { QueryEditor } from '../../editor/json-editor.tsx'
import { type Problem, problemsIn } from '../../editor/problems.ts'
import { CopyButton } from '../../parts/copyable.tsx'
import { Dialog } from '../../parts/dialog.tsx'
import { Field } from '../../parts/field.tsx'
import { formatJson } from '../../parts/json-text.ts'
import { RefusalBox, Warnings } from '../../parts/refusal-box.tsx'
import { readRelaxed } from '../../query/relaxed-json.ts'
import type { Sample } from '../../query/samples.ts'
import type { Asked } from './asked.ts'
import type { Collection } from './collections.ts'
import { listQuestion, readQuery } from './question.ts'
import { type KnownField as Known, useFields } from './use-fields.ts'

interface QueryPanelProps {
  readonly collection: Collection
  readonly asked: Asked
  readonly onQuery: (query: string) => void
  readonly onClose: () => void
}

interface Checked {
  readonly refusals: readonly Warning[]
  readonly warnings: readonly Warning[]
}

/** The query as it is, to be edited; and the same question as a program asks it. */
export function QueryPanel({ collection, asked, onQuery, onClose }: QueryPanelProps) {
  const before = readQuery(asked)
  const [text, setText] = useState(before === null ? asked.query : formatJson(before))
  const fields = useFields(collection)
  const known = useMemo(() => fields?.map(knownField) ?? [], [fields])
  const [checked, setChecked] = useState<{
    readonly text: string
    readonly json: string
    readonly found: Checked
  } | null>(null)
  const read = readRelaxed(text.trim() === '' ? '{}' : text)

  const problems = useMemo(() => (checked === null ? [] : problemsOf(checked.text, checked.found)), [checked])

  async function search(): Promise<void> {
    if ('fault' in read) return
    const query: unknown = JSON.parse(read.json)
    const { data } = await ask<Checked>('POST', `/${collection.name}/validate`, { body: { query } })
    if (data.refusals.length > 0) setChecked({ text, json: read.json, found: data })
    else onQuery(read.json === '{}' ? '' : read.json)
  }

  return (
    <Dialog title="Query" onClose={onClose}>
      <form
        class="query"
        onSubmit={(event) => {
          event.preventDefault()
          void search()
        }}
      >
        <Field label="MongoDB query" hint="Quotes around names may be left out. Ctrl+Enter searches.">
          <QueryEditor
            label="MongoDB query"
            lines={8}
            value={text}
            onChange={setText}
            fields={known}
            problems={problems}
            onSubmit={() => void search()}
          />
        </Field>
        {'fault' in read && <p class="fault-words">{read.fault.message}.</p>}
        {checked !== null && checked.text === text && <Found text={checked.json} found={checked.found} />}
        <button type="submit" disabled={'fault' in read}>
          Search
        </button>
      </form>
      <Samples collection={collection} asked={asked} />
    </Dialog>
  )
}

function knownField({ path, types, title, unit }: Known): KnownField {
  return { path, types, ...(title === null ? {} : { title }), ...(unit === null ? {} : { unit }) }
}

function problemsOf(text: string, { refusals, warnings }: Checked): readonly Problem[] {
  const refused = refusals.flatMap(({ message, ...data }) => problemsIn(text, 'query', { refusal: { message, data } }))
  return [...refused, ...problemsIn(text, 'query', { warnings })]
}

function Found({ text, found }: { readonly text: string; readonly found: Checked }) {
  return (
    <>
      {found.refusals.map(({ code, message, ...data }) => (
        <RefusalBox key={message} error={new Refusal(message, 400, code, data)} query={text} />
      ))}
      <Warnings warnings={found.warnings} query={text} />
    </>
  )
}

function Samples({ collection, asked }: { readonly collection: Collection; readonly asked: Asked }) {
  const [samples, setSamples] = useState<readonly Sample[]>([])
  const [language, setLanguage] = useState<string>('curl')
  const { path, search } = listQuestion(collection, asked)
  useEffect(() => {
    const call = { root: `${ROOT}${API}`, method: 'GET', path, search }
    void import('../../query/samples.ts').then(({ samplesOf }) => setSamples(samplesOf(call)))
  }, [path, JSON.stringify(search)])
  const shown = samples.find((sample) => sample.language === language) ?? samples[0]
  if (shown === undefined) return null
  return (
    <section class="samples">
      <fieldset class="choice">
        <legend>The same as a program asks it</legend>
        {samples.map((sample) => (
          <label key={sample.language}>
            <input
              type="radio"
              name="language"
              checked={sample.language === shown.language}
              onChange={() => setLanguage(sample.language)}
            />
            {sample.language}
          </label>
        ))}
      </fieldset>
      <div class="copyable">
        <pre tabIndex={0} role="region" aria-label={shown.language}>
          {shown.text}
        </pre>
        <CopyButton label={shown.language} text={shown.text} />
      </div>
    </section>
  )
}
