import { useEffect, useMemo, useState } from 'preact/hooks'
import type { Refusal } from '../../api/client.ts'
import { Link } from '../../app/router.tsx'
import { JsonEditor } from '../../editor/json-editor.tsx'
import type { Problem } from '../../editor/problems.ts'
import { Field } from '../../parts/field.tsx'
import { formatJson } from '../../parts/json-text.ts'
import { RefusalBox } from '../../parts/refusal-box.tsx'
import { placeInJson } from '../../query/place-in-json.ts'
import { readRelaxed } from '../../query/relaxed-json.ts'
import type { Fields } from './merge.ts'

/** Fields that have a control of their own. */
const OWN = ['name', 'description', 'tags', 'isPublic']
/** Fields that no update changes. */
const FIXED = [
  '_id',
  'owner',
  'creator',
  'createdAt',
  'updatedAt',
  'isDefault',
  'inSet',
  'slug',
  'schemaVersion',
  'exabyteId',
]

interface EditFormProps {
  readonly record: Fields
  readonly error: Refusal | null
  readonly isBusy: boolean
  /** The page of the record. */
  readonly back: string
  readonly onSave: (record: Fields) => void
}

function problemOf(json: string, violation: Violation): Problem {
  const [from, to] = placeInJson(json, pathOf(violation.pointer)) ?? [0, 0]
  return { severity: 'error', message: words(violation), from, to }
}

interface Violation {
  readonly pointer: string
  readonly expected: string
  readonly given: string
}

/** A control for each common field, and all others as JSON. What the server finds wrong stands where it is. */
export function EditForm({ record, error, isBusy, back, onSave }: EditFormProps) {
  const [name, setName] = useState(String(record['name'] ?? ''))
  const [description, setDescription] = useState(String(record['description'] ?? ''))
  const [tags, setTags] = useState(tagsOf(record).join(', '))
  const [isPublic, setPublic] = useState(record['isPublic'] === true)
  const [json, setJson] = useState(() => formatJson(without(record, [...OWN, ...FIXED])))
  const [fault, setFault] = useState<string | null>(null)
  const [selected, setSelected] = useState<{ readonly from: number; readonly to: number } | null>(null)
  const violations = (error?.data['violations'] ?? []) as readonly Violation[]
  const said = (field: string) =>
    violations.find(({ pointer }) => pointer === `/${field}` || pointer.startsWith(`/${field}/`))
  const elsewhere = violations.filter(({ pointer }) => !OWN.some((field) => pointer.split('/')[1] === field))

  const problems = useMemo(
    () => elsewhere.map((violation) => problemOf(json, violation)),
    // Of the text as it was sent.
    [error],
  )

  useEffect(() => {
    if (violations.length === 0) return
    const control = document.querySelector<HTMLElement>('.edit [aria-invalid="true"]')
    if (control !== null) control.focus()
    else if (elsewhere[0] !== undefined) select(placeInJson(json, pathOf(elsewhere[0].pointer)) ?? [0, 0])
  }, [error])

  function select([from, to]: readonly [number, number]): void {
    setSelected({ from, to: Math.max(to, from + 1) })
  }

  function save(): void {
    const read = readRelaxed(json)
    if ('fault' in read) {
      setFault(read.fault.message)
      select([read.fault.from, read.fault.to])
      return
    }
    setFault(null)
    const others = JSON.parse(read.json) as Fields
    const kept = Object.fromEntries(
      FIXED.filter((field) => Object.hasOwn(record, field)).map((field) => [field, record[field]]),
    )
    const own = {
      name,
      ...(description === '' && record['description'] === undefined ? {} : { description }),
      ...(tags.trim() === '' && record['tags'] === undefined ? {} : { tags: tagsIn(tags) }),
      ...(!isPublic && record['isPublic'] === undefined ? {} : { isPublic }),
    }
    onSave({ ...kept, ...others, ...own })
  }

  return (
    <form
      noValidate
      aria-label="Fields of the record"
      onSubmit={(event) => {
        event.preventDefault()
        save()
      }}
    >
      <Field label="Name" hint={<Fault of={said('name')} />}>
        <input
          value={name}
          aria-invalid={said('name') !== undefined}
          onInput={({ currentTarget }) => setName(currentTarget.value)}
        />
      </Field>
      <Field label="Tags" hint={<Fault of={said('tags')} otherwise="With commas between." />}>
        <input
          value={tags}
          aria-invalid={said('tags') !== undefined}
          onInput={({ currentTarget }) => setTags(currentTarget.value)}
        />
      </Field>
      <Field label="Description" hint={<Fault of={said('description')} />}>
        <textarea
          rows={3}
          class="prose"
          value={description}
          onInput={({ currentTarget }) => setDescription(currentTarget.value)}
        />
      </Field>
      <label class="public">
        <input type="checkbox" checked={isPublic} onChange={({ currentTarget }) => setPublic(currentTarget.checked)} />{' '}
        Public: everybody may read it
      </label>
      <Field
        label="All other fields"
        hint={
          fault === null ? 'JSON. What the server computes it computes anew.' : <span class="field-fault">{fault}</span>
        }
      >
        <JsonEditor
          label="All other fields"
          lines={Math.min(28, json.split('\n').length + 1)}
          value={json}
          onChange={setJson}
          problems={problems}
          selected={selected}
          onSubmit={save}
        />
      </Field>
      {elsewhere.length > 0 && (
        <ul class="violations">
          {elsewhere.map((violation) => (
            <li key={violation.pointer}>
              <button
                type="button"
                class="plain"
                onClick={() => select(placeInJson(json, pathOf(violation.pointer)) ?? [0, 0])}
              >
                <code>{pathOf(violation.pointer).slice(1) || 'the record'}</code>
              </button>{' '}
              {words(violation)}
            </li>
          ))}
        </ul>
      )}
      {error !== null && violations.length === 0 && <RefusalBox error={error} />}
      <p class="row-of-buttons">
        <button type="submit" disabled={isBusy}>
          Save
        </button>
        <Link to={back}>Cancel</Link>
      </p>
    </form>
  )
}

function Fault({ of, otherwise = '' }: { readonly of: Violation | undefined; readonly otherwise?: string }) {
  return of === undefined ? <>{otherwise}</> : <span class="field-fault">{words(of)}</span>
}

function words({ expected, given }: Violation): string {
  return given === 'nothing' ? `is missing: give ${expected}` : `should be ${expected}, not ${given}`
}

function tagsOf(record: Fields): readonly string[] {
  const tags = record['tags']
  return Array.isArray(tags) ? tags.map(String) : []
}

function tagsIn(text: string): readonly string[] {
  return text
    .split(',')
    .map((tag) => tag.trim())
    .filter((tag) => tag !== '')
}

function without(record: Fields, fields: readonly string[]): Fields {
  return Object.fromEntries(Object.entries(record).filter(([field]) => !fields.includes(field)))
}

/** `/basis/elements/0` as the places of queries are written: `.basis.elements[0]`. */
function pathOf(pointer: string): string {
  const steps = pointer
    .split('/')
    .slice(1)
    .map((step) => step.replaceAll('~1', '/').replaceAll('~0', '~'))
  return steps.map((step) => (/^\d+$/.test(step) ? `[${step}]` : `.${step}`)).join('')
}
