import { useEffect, useMemo, useRef, useState } from 'preact/hooks'
import type { Refusal } from '../../api/client.ts'
import { Link } from '../../app/router.tsx'
import { FormFieldView } from '../../forms/form-controls.tsx'
import { type FormField, type FormShape, formFields, ownNodes, type Path } from '../../forms/form-field.ts'
import { Form } from '../../forms/form-state.tsx'
import { keyOf, placed, restPointers, type Violation, withValue } from '../../forms/values.ts'
import { RefusalBox } from '../../parts/refusal-box.tsx'
import type { Kind } from '../../schema/kind.ts'
import { withNamedData } from '../property/property-schema.ts'
import { COMMON_FIELDS, CommonFields } from './common-fields.tsx'
import type { Fields } from './merge.ts'

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
  'isEntitySet',
  'entitySetType',
  'entityCls',
  'nextIndex',
  'files',
]

/** Fields that are written as JSON, by collections: what programs write. */
const IN_JSON: Readonly<Record<string, readonly string[]>> = {
  materials: ['basis', 'lattice', 'derivedProperties', 'periodicDirections', 'madeFrom'],
}

interface EditFormProps {
  readonly kind: Kind
  readonly record: Fields
  readonly error: Refusal | null
  readonly isBusy: boolean
  /** The page of the record. */
  readonly back: string
  readonly onSave: (record: Fields) => void
}

/** A control for each field that the schema knows, and the rest as JSON. What the server finds wrong stands where it is. */
export function EditForm({ kind, record: given, error, isBusy, back, onSave }: EditFormProps) {
  const form = useRef<HTMLFormElement>(null)
  const [record, setRecord] = useState(given)
  const [shape, setShape] = useState(() => shapeOf(kind, given))
  const fields = useMemo(() => formFields(shape, record), [shape, record])
  const faults = useRef(new Map<string, string>())
  const violations = useMemo(
    () => placed([...COMMON, ...fields], (error?.data['violations'] ?? []) as readonly Violation[]),
    // Of what was sent.
    [error],
  )

  useEffect(() => {
    const rests = restPointers(fields).filter((pointer) => !shape.withRest.has(pointer))
    if (rests.length > 0) setShape({ ...shape, withRest: new Set([...shape.withRest, ...rests]) })
  }, [fields])

  useEffect(() => {
    if (violations.size > 0) focusFirst(form.current)
  }, [violations])

  function change(path: Path, value: unknown): void {
    setRecord((before) => (path.length === 0 ? (value as Fields) : withValue(before, path, value)))
  }

  function setFault(key: string, fault: string | null): void {
    if (fault === null) faults.current.delete(key)
    else faults.current.set(key, fault)
  }

  function save(): void {
    if (faults.current.size > 0) focusFirst(form.current)
    else onSave(record)
  }

  return (
    <Form.Provider value={{ record, change, violations, setFault }}>
      <form
        ref={form}
        noValidate
        aria-label="Fields of the record"
        onSubmit={(event) => {
          event.preventDefault()
          save()
        }}
        onKeyDown={(event) => {
          if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) save()
        }}
      >
        <CommonFields />
        {fields.map((field) => (
          <FormFieldView key={keyOf(field)} field={field} />
        ))}
        {error !== null && violations.size === 0 && <RefusalBox error={error} />}
        <p class="row-of-buttons">
          <button type="submit" disabled={isBusy}>
            Save
          </button>
          <Link to={back}>Cancel</Link>
        </p>
      </form>
    </Form.Provider>
  )
}

const COMMON: readonly FormField[] = COMMON_FIELDS.map((name) => ({
  path: [name],
  label: name,
  isRequired: false,
  control: { kind: 'text', suggested: [] },
}))

function shapeOf(kind: Kind, record: Fields): FormShape {
  // What names the material of a property is its own; of other records it is an old name of theirs.
  const own = Object.keys(kind.schema.properties ?? {})
  const fixed = [...FIXED, ...kind.computed].filter((name) => !own.includes(name) || name === 'owner')
  const elsewhere = new Set<string>([...COMMON_FIELDS, ...fixed])
  const nodes = Object.entries(ownNodes(kind, record)).filter(([name]) => !elsewhere.has(name))
  const inJson = new Set(IN_JSON[kind.collection])
  const written = kind.collection === 'properties' ? { ...kind, schema: withNamedData(kind.schema) } : kind
  return { kind: written, elsewhere, inJson, own: Object.fromEntries(nodes), withRest: new Set() }
}

/** Puts the cursor where something is wrong. */
function focusFirst(form: HTMLElement | null): void {
  form
    ?.querySelector<HTMLElement>('[aria-invalid="true"], .violations button, .json-field:has(.field-fault) textarea')
    ?.focus()
}
