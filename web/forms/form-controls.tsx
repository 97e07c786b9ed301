import type { ComponentChildren } from 'preact'
import { useContext, useId, useState } from 'preact/hooks'
import type { Control, FormField } from './form-field.ts'
import { Input, type SingleControl } from './form-inputs.tsx'
import { Form, Hint, Required } from './form-state.tsx'
import { JsonControl } from './json-control.tsx'
import { keyOf, valueIn } from './values.ts'

/** A field with its label, its hint and what is wrong with it; or a group of such fields. */
export function FormFieldView({ field }: { readonly field: FormField }) {
  const { control } = field
  switch (control.kind) {
    case 'group':
      return (
        <Group field={field}>
          <Row fields={control.fields} />
        </Group>
      )
    case 'variants':
      return (
        <Group field={field}>
          <VariantChoice field={field} control={control} />
          <Row fields={control.fields} />
        </Group>
      )
    case 'items':
      return <Items field={field} control={control} />
    case 'json':
      return <JsonControl field={field} known={control.known} />
    default:
      return <Single field={field} control={control} />
  }
}

/** Fields beside each other, where there is room. */
function Row({ fields }: { readonly fields: readonly FormField[] }) {
  return (
    <div class="form-row">
      {fields.map((field, index) => (
        // By its place: the path of one in an entry changes when another entry goes.
        <FormFieldView key={`${index} ${field.path.at(-1)}`} field={field} />
      ))}
    </div>
  )
}

function Group({ field, children }: { readonly field: FormField; readonly children: ComponentChildren }) {
  const id = useId()
  return (
    <fieldset class="form-group" aria-describedby={`${id}-hint`}>
      <legend>
        {field.label}
        <Required field={field} />
      </legend>
      <Hint field={field} id={`${id}-hint`} />
      {children}
    </fieldset>
  )
}

function Single({ field, control }: { readonly field: FormField; readonly control: SingleControl }) {
  const id = useId()
  const { violations } = useContext(Form)
  const isWrong = violations.has(keyOf(field))
  return (
    <div class="field">
      <label for={id}>
        {field.label}
        {field.unit !== undefined && <span class="unit"> {field.unit}</span>}
        <Required field={field} />
      </label>
      <Input field={field} control={control} id={id} isWrong={isWrong} />
      <Hint field={field} id={`${id}-hint`} />
    </div>
  )
}

interface VariantProps {
  readonly field: FormField
  readonly control: Extract<Control, { kind: 'variants' }>
}

function VariantChoice({ field, control: { by, choices } }: VariantProps) {
  const path = [...field.path, by]
  return (
    <Single
      field={{ path, label: 'Kind', isRequired: true, control: { kind: 'choice', choices } }}
      control={{ kind: 'choice', choices }}
    />
  )
}

interface ItemsProps {
  readonly field: FormField
  readonly control: Extract<Control, { kind: 'items' }>
}

/** Entries with fields of their own, to be added and taken away. */
function Items({ field, control: { items, one } }: ItemsProps) {
  const { record, change } = useContext(Form)
  const given = valueIn(record, field.path)
  const list: readonly unknown[] = Array.isArray(given) ? given : []
  // An entry is told by when it came: without one of them, the others keep what is typed in them.
  const [keys, setKeys] = useState(() => list.map((_, index) => index))
  function put(next: readonly unknown[], nextKeys: readonly number[]): void {
    setKeys([...nextKeys])
    change(field.path, next.length === 0 && !field.isRequired ? undefined : next)
  }
  return (
    <Group field={field}>
      {items.map((fields, index) => (
        <fieldset key={keys[index]} class="form-item">
          <legend>
            {one} {index + 1}
          </legend>
          <Row fields={fields} />
          <button
            type="button"
            class="plain"
            aria-label={`Take ${one} ${index + 1} away`}
            onClick={() =>
              put(
                list.filter((_, at) => at !== index),
                keys.filter((_, at) => at !== index),
              )
            }
          >
            ✕
          </button>
        </fieldset>
      ))}
      <button type="button" class="plain" onClick={() => put([...list, {}], [...keys, Math.max(-1, ...keys) + 1])}>
        Add {one.toLowerCase()}
      </button>
    </Group>
  )
}
