import { type ComponentChildren, cloneElement, type VNode } from 'preact'
import { useId } from 'preact/hooks'

interface FieldProps {
  readonly label: ComponentChildren
  /** Below the control, and read out with it. */
  readonly hint?: ComponentChildren
  /** One control: input, textarea, select. */
  readonly children: VNode<{ id?: string; 'aria-describedby'?: string }>
}

/** A control with its label above and, when there is one, a hint below that belongs to it. */
export function Field({ label, hint, children }: FieldProps) {
  const id = useId()
  const described = hint === undefined ? {} : { 'aria-describedby': `${id}-hint` }
  return (
    <div class="field">
      <label for={id}>{label}</label>
      {cloneElement(children, { id, ...described })}
      {hint !== undefined && <small id={`${id}-hint`}>{hint}</small>}
    </div>
  )
}
