import { useContext, useState } from 'preact/hooks'
import { Form } from '../../forms/form-state.tsx'
import { wordsOf } from '../../forms/values.ts'
import { Field } from '../../parts/field.tsx'
import { tagsIn } from '../curate/deeds.tsx'

/** Fields that every record may have. */
export const COMMON_FIELDS = ['name', 'tags', 'description', 'isPublic'] as const

/** A control for each of them. */
export function CommonFields() {
  const { record, change } = useContext(Form)
  const [tags, setTags] = useState(() => (Array.isArray(record['tags']) ? record['tags'].join(', ') : ''))
  const text = (name: string) => (typeof record[name] === 'string' ? record[name] : '')
  return (
    <>
      <Field label="Name" hint={<Fault name="name" />}>
        <input
          value={text('name')}
          aria-invalid={useIsWrong('name')}
          onInput={({ currentTarget }) => change(['name'], currentTarget.value)}
        />
      </Field>
      <Field label="Tags" hint={<Fault name="tags" otherwise="With commas between." />}>
        <input
          value={tags}
          aria-invalid={useIsWrong('tags')}
          onInput={({ currentTarget: { value } }) => {
            setTags(value)
            change(['tags'], tagsIn(value))
          }}
        />
      </Field>
      <Field label="Description" hint={<Fault name="description" />}>
        <textarea
          rows={3}
          class="prose"
          value={text('description')}
          onInput={({ currentTarget }) => change(['description'], currentTarget.value)}
        />
      </Field>
      <label class="public">
        <input
          type="checkbox"
          checked={record['isPublic'] === true}
          onChange={({ currentTarget }) => change(['isPublic'], currentTarget.checked)}
        />{' '}
        Public: everybody may read it
      </label>
    </>
  )
}

function useIsWrong(name: string): boolean {
  return useContext(Form).violations.has(`/${name}`)
}

function Fault({ name, otherwise = '' }: { readonly name: string; readonly otherwise?: string }) {
  const found = useContext(Form).violations.get(`/${name}`) ?? []
  if (found.length === 0) return <>{otherwise}</>
  return <span class="field-fault">{found.map(wordsOf).join('; ')}</span>
}
