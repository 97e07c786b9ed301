import { useContext, useEffect, useMemo, useState } from 'preact/hooks'
import { JsonEditor } from '../editor/json-editor.tsx'
import type { Problem } from '../editor/problems.ts'
import { formatJson } from '../parts/json-text.ts'
import { placeInJson } from '../query/place-in-json.ts'
import { readRelaxed } from '../query/relaxed-json.ts'
import { type FormField, isFields, pointerOf } from './form-field.ts'
import { Form, Hint } from './form-state.tsx'
import { keyOf, restOf, type Violation, valueIn, withRest, wordsOf } from './values.ts'

interface JsonControlProps {
  readonly field: FormField
  /** Fields of the same object that are written elsewhere; null where the whole value is. */
  readonly known: readonly string[] | null
}

/** A value as JSON, or what an object has beside the fields that are known. What is no JSON is kept as it is typed, and not saved. */
export function JsonControl({ field, known }: JsonControlProps) {
  const { record, change, violations, setFault } = useContext(Form)
  const key = keyOf(field)
  const own = violations.get(key) ?? []
  const value = valueIn(record, field.path)
  const [text, setText] = useState(() => textOf(restOf(value, known)))
  const [fault, tell] = useState<string | null>(null)
  const [selected, select] = useState<{ readonly from: number; readonly to: number } | null>(null)
  const above = pointerOf(field.path)
  // Of the text as it was sent.
  const problems = useMemo(() => own.map((one) => problemOf(text, above, one)), [own.length, violations])

  useEffect(() => {
    setFault(key, fault)
    return () => setFault(key, null)
  }, [key, fault])

  function type(typed: string): void {
    setText(typed)
    const read = readRest(typed, known)
    tell('fault' in read ? read.fault : null)
    if ('rest' in read) change(field.path, withRest(value, known, read.rest))
  }

  return (
    <div class="field json-field">
      <span class="label">
        {field.label}
        {field.isRequired && <span class="required"> (required)</span>}
      </span>
      <JsonEditor
        label={field.label}
        lines={Math.min(28, text.split('\n').length + (known === null ? 0 : 1))}
        value={text}
        onChange={type}
        problems={problems}
        selected={selected}
        aria-describedby={`${key}-hint`}
      />
      {fault !== null && (
        <small role="alert" class="field-fault">
          {fault}
        </small>
      )}
      {own.length > 0 && (
        <ul class="violations">
          {own.map((violation) => (
            <li key={violation.pointer}>
              <button type="button" class="plain" onClick={() => select(placeOf(text, above, violation))}>
                <code>{stepsOf(above, violation).slice(1) || 'all of it'}</code>
              </button>{' '}
              {wordsOf(violation)}
            </li>
          ))}
        </ul>
      )}
      {own.length === 0 && <Hint field={field} id={`${key}-hint`} />}
    </div>
  )
}

/** What a text stands for; without any there is nothing, and what is written elsewhere has no place here. */
function readRest(
  typed: string,
  known: readonly string[] | null,
): { readonly rest: unknown } | { readonly fault: string } {
  if (typed.trim() === '') return { rest: known === null ? undefined : {} }
  const read = readRelaxed(typed)
  if ('fault' in read) return { fault: read.fault.message }
  const rest: unknown = JSON.parse(read.json)
  if (known === null) return { rest }
  if (!isFields(rest)) return { fault: 'should be an object: {"field": value}' }
  const twice = Object.keys(rest).find((name) => known.includes(name))
  return twice === undefined ? { rest } : { fault: `${twice} has a place of its own, or is the server’s.` }
}

function textOf(value: unknown): string {
  return value === undefined ? '' : formatJson(value)
}

function problemOf(text: string, above: string, violation: Violation): Problem {
  return { severity: 'error', message: wordsOf(violation), ...placeOf(text, above, violation) }
}

function placeOf(text: string, above: string, violation: Violation): { readonly from: number; readonly to: number } {
  const [from, to] = placeInJson(text, stepsOf(above, violation)) ?? [0, 0]
  return { from, to: Math.max(to, from + 1) }
}

/** `/basis/elements/0` as the places of queries are written: `.basis.elements[0]`. */
function stepsOf(above: string, { pointer }: Violation): string {
  return pointer
    .slice(above.length)
    .split('/')
    .slice(1)
    .map((step) => step.replaceAll('~1', '/').replaceAll('~0', '~'))
    .map((step) => (/^\d+$/.test(step) ? `[${step}]` : `.${step}`))
    .join('')
}
