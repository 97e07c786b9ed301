import { Field } from '../../parts/field.tsx'
import { fieldsShown, STEP_FORMS, type StepDraft, type StepField } from './build-steps.ts'

interface StepFormProps {
  readonly draft: StepDraft
  /** From 0. */
  readonly place: number
  readonly onChange: (draft: StepDraft) => void
  readonly onRemove: () => void
}

/** One step of a build, with its fields. */
export function BuildStepForm({ draft, place, onChange, onRemove }: StepFormProps) {
  const title = `${place + 1}. ${STEP_FORMS[draft.kind].title}`
  const set = (name: string, value: string) => {
    // Another surface has other terminations.
    const { termination: _number, ...fields } = draft.fields
    onChange({ ...draft, fields: { ...fields, [name]: value } })
  }
  return (
    <fieldset class="build-step" data-step={draft.key}>
      <legend>{title}</legend>
      <div class="row controls">
        {fieldsShown(draft).map((field) => (
          <Control
            key={field.name}
            field={field}
            value={draft.fields[field.name] ?? ''}
            onValue={(value) => set(field.name, value)}
          />
        ))}
        <button type="button" class="plain" aria-label={`Take away step ${title}`} onClick={onRemove}>
          Take away
        </button>
      </div>
    </fieldset>
  )
}

interface ControlProps {
  readonly field: StepField
  readonly value: string
  readonly onValue: (value: string) => void
}

function Control({ field, value, onValue }: ControlProps) {
  const { label, hint, control, choices = [], pattern, least, most, isOptional } = field
  const onInput = (event: Event) => onValue((event.currentTarget as HTMLInputElement | HTMLSelectElement).value)
  if (control === 'check') {
    return (
      <label class="check">
        <input
          type="checkbox"
          checked={value === 'yes'}
          onChange={(event) => onValue(event.currentTarget.checked ? 'yes' : 'no')}
        />{' '}
        {label}
      </label>
    )
  }
  if (control === 'choice') {
    return (
      <Field label={label}>
        <select value={value} onChange={onInput}>
          {choices.map(([name, title]) => (
            <option key={name} value={name}>
              {title}
            </option>
          ))}
        </select>
      </Field>
    )
  }
  const told = hint === undefined ? {} : { hint }
  const terms = { value, required: isOptional !== true, onInput }
  return (
    <Field label={label} {...told}>
      {control === 'text' ? (
        <input type="text" pattern={pattern} title={hint ?? label} autoComplete="off" {...terms} />
      ) : (
        <input type="number" min={least} max={most} step={control === 'whole' ? 1 : 'any'} {...terms} />
      )}
    </Field>
  )
}
