import { createContext } from 'preact'
import { useContext } from 'preact/hooks'
import type { FormField, Path } from './form-field.ts'
import { keyOf, type Violation, wordsOf } from './values.ts'

/** What all fields of a form share. */
export interface FormState {
  readonly record: Readonly<Record<string, unknown>>
  readonly change: (path: Path, value: unknown) => void
  /** What is wrong, by the keys of fields. */
  readonly violations: ReadonlyMap<string, readonly Violation[]>
  /** Texts that are no JSON, by the keys of their fields. */
  readonly setFault: (key: string, fault: string | null) => void
}

export const Form = createContext<FormState>({
  record: {},
  change: () => {},
  violations: new Map(),
  setFault: () => {},
})

export function Required({ field: { isRequired } }: { readonly field: FormField }) {
  return isRequired ? <span class="required"> (required)</span> : null
}

/** What the schema says of a field, and what the server has against it. */
export function Hint({ field, id }: { readonly field: FormField; readonly id: string }) {
  const violations = useContext(Form).violations.get(keyOf(field)) ?? []
  return (
    <small id={id}>
      {violations.map((violation) => (
        <span key={violation.pointer} class="field-fault">
          {wordsOf(violation)}{' '}
        </span>
      ))}
      {field.hint?.split('`').map((text, at) => (at % 2 === 0 ? text : <code key={at}>{text}</code>))}
    </small>
  )
}
