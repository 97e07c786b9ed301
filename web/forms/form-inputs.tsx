import { useContext, useState } from 'preact/hooks'
import type { Control, FormField } from './form-field.ts'
import { Form } from './form-state.tsx'
import { RecordPicker } from './record-picker.tsx'
import { listText, readList, readNumber, valueIn } from './values.ts'

/** One that writes one value by one input. */
export type SingleControl = Exclude<Control, { kind: 'group' | 'variants' | 'items' | 'json' }>

interface InputProps {
  readonly field: FormField
  readonly control: SingleControl
  readonly id: string
  readonly isWrong: boolean
}

/** By what a value is typed or chosen. */
export function Input({ field: { path, isRequired }, control, id, isWrong }: InputProps) {
  const { record, change } = useContext(Form)
  const value = valueIn(record, path)
  const shared = { id, 'aria-invalid': isWrong, 'aria-required': isRequired, 'aria-describedby': `${id}-hint` }
  switch (control.kind) {
    case 'choice':
      return <Choice {...shared} choices={control.choices} value={value} onChange={(one) => change(path, one)} />
    case 'date':
      return (
        <input
          {...shared}
          type="date"
          value={typeof value === 'string' ? value : ''}
          onInput={({ currentTarget }) => change(path, currentTarget.value || undefined)}
        />
      )
    case 'number':
      return (
        <NumberInput
          {...shared}
          control={control}
          value={value}
          onChange={(typed) => change(path, readNumber(typed))}
        />
      )
    case 'scalars':
      return (
        <ListInput
          {...shared}
          of={control.of}
          value={value}
          onChange={(typed) => change(path, readList(typed, control.of))}
        />
      )
    default:
      return (
        <TextInput {...shared} control={control} value={value} onChange={(typed) => change(path, typed || undefined)} />
      )
  }
}

interface SharedProps<Value> {
  readonly id: string
  readonly 'aria-invalid': boolean
  readonly 'aria-required': boolean
  readonly 'aria-describedby': string
  readonly value: unknown
  readonly onChange: (value: Value) => void
}

/** Texts that a schema calls examples are proposed; any other may be typed. */
function Suggested({ id, texts }: { readonly id: string; readonly texts: readonly string[] }) {
  if (texts.length < 2) return null
  return (
    <datalist id={`${id}-list`}>
      {texts.map((text) => (
        <option key={text} value={text} />
      ))}
    </datalist>
  )
}

function exampleOf(texts: readonly string[]): string | undefined {
  return texts.length === 1 ? texts[0] : undefined
}

type TextProps = SharedProps<string> & { readonly control: Extract<Control, { kind: 'text' }> }

function TextInput({ control: { suggested, references }, value, onChange, ...shared }: TextProps) {
  const text = value === undefined || value === null ? '' : String(value)
  // What has several lines, or is long, when the form is opened.
  const [isLong] = useState(text.includes('\n') || text.length > 120)
  if (references !== undefined)
    return <RecordPicker {...shared} collection={references} value={text} onChange={onChange} />
  if (isLong) {
    return (
      <textarea
        {...shared}
        class="prose"
        rows={4}
        value={text}
        onInput={({ currentTarget }) => onChange(currentTarget.value)}
      />
    )
  }
  return (
    <>
      <input
        {...shared}
        value={text}
        placeholder={exampleOf(suggested)}
        list={suggested.length > 1 ? `${shared.id}-list` : undefined}
        onInput={({ currentTarget }) => onChange(currentTarget.value)}
      />
      <Suggested id={shared.id} texts={suggested} />
    </>
  )
}

type NumberProps = SharedProps<string> & { readonly control: Extract<Control, { kind: 'number' }> }

/** Keeps what is typed as it is typed: `1.50` is not written anew as 1.5 meanwhile. */
function NumberInput({ control: { isWhole, suggested }, value, onChange, ...shared }: NumberProps) {
  const [typed, setTyped] = useState(value === undefined || value === null ? '' : String(value))
  return (
    <>
      <input
        {...shared}
        inputMode={isWhole ? 'numeric' : 'decimal'}
        autocomplete="off"
        value={typed}
        placeholder={exampleOf(suggested)}
        onInput={({ currentTarget }) => {
          setTyped(currentTarget.value)
          onChange(currentTarget.value)
        }}
      />
    </>
  )
}

function ListInput({ of, value, onChange, ...shared }: SharedProps<string> & { readonly of: 'string' | 'number' }) {
  const [typed, setTyped] = useState(listText(value, of))
  function take(text: string): void {
    setTyped(text)
    onChange(text)
  }
  return of === 'number' ? (
    <input {...shared} value={typed} placeholder="1, 2, 3" onInput={({ currentTarget }) => take(currentTarget.value)} />
  ) : (
    <textarea
      {...shared}
      class="prose"
      rows={Math.min(8, typed.split('\n').length + 1)}
      placeholder="One a line"
      value={typed}
      onInput={({ currentTarget }) => take(currentTarget.value)}
    />
  )
}

type ChoiceProps = SharedProps<unknown> & { readonly choices: readonly unknown[] }

/** One of the values that there are, none, or the one that the record has all the same. */
function Choice({ choices, value, onChange, ...shared }: ChoiceProps) {
  const all = value === undefined || value === null || choices.includes(value) ? choices : [...choices, value]
  return (
    <select {...shared} onChange={({ currentTarget }) => onChange(all[Number(currentTarget.value)])}>
      <option value="" selected={value === undefined}>
        –
      </option>
      {all.map((one, index) => (
        <option key={choiceText(one)} value={index} selected={one === value}>
          {choiceText(one)}
        </option>
      ))}
    </select>
  )
}

function choiceText(value: unknown): string {
  if (typeof value === 'boolean') return value ? 'yes' : 'no'
  return typeof value === 'string' ? value : JSON.stringify(value)
}
