import { useEffect, useRef, useState } from 'preact/hooks'
import { ask } from '../../api/client.ts'
import { Field } from '../../parts/field.tsx'
import { RefusalBox } from '../../parts/refusal-box.tsx'

export interface Words {
  readonly _id: string
  readonly name: string
  readonly title: string | null
  readonly description: string | null
}

interface WordsProps {
  readonly of: Words
  readonly mayChange: boolean
  readonly onChange: () => Promise<void>
}

/** What an organization tells of itself, which is changed in its place. */
export function OrganizationWords({ of, mayChange, onChange }: WordsProps) {
  const [isOpen, setOpen] = useState(false)
  const button = useRef<HTMLButtonElement>(null)
  const wasOpen = useRef(false)
  useEffect(() => {
    if (!isOpen && wasOpen.current) button.current?.focus()
    wasOpen.current = isOpen
  }, [isOpen])
  if (isOpen) {
    const close = () => setOpen(false)
    return <WordsForm of={of} onKeep={close} onChange={() => onChange().then(close)} />
  }
  return (
    <>
      {of.description !== null && <p class="prose lines">{of.description}</p>}
      {mayChange && (
        <p>
          <button type="button" ref={button} onClick={() => setOpen(true)}>
            {of.description === null ? 'Add a description or change the title' : 'Change title and description'}
          </button>
        </p>
      )}
    </>
  )
}

interface FormProps {
  readonly of: Words
  readonly onKeep: () => void
  readonly onChange: () => Promise<void>
}

function WordsForm({ of, onKeep, onChange }: FormProps) {
  const [error, setError] = useState<unknown>(null)
  const first = useRef<HTMLInputElement>(null)
  useEffect(() => first.current?.focus(), [])

  async function save(event: SubmitEvent): Promise<void> {
    event.preventDefault()
    const typed = new FormData(event.currentTarget as HTMLFormElement)
    const title = String(typed.get('title')).trim()
    const description = String(typed.get('description'))
    setError(null)
    try {
      await ask('PATCH', `/accounts/${encodeURIComponent(of._id)}`, {
        body: { title: title === '' ? null : title, description },
      })
      await onChange()
    } catch (refused) {
      setError(refused)
    }
  }

  return (
    <form onSubmit={(event) => void save(event)} aria-label="Title and description">
      <Field label="Title" hint={`What people call it. Without one it is called ${of.name}.`}>
        <input name="title" ref={first} defaultValue={of.title ?? ''} maxLength={100} autocomplete="off" />
      </Field>
      <Field label="Description" hint="What it is for, in up to 2,000 characters.">
        <textarea name="description" class="prose" rows={4} maxLength={2000} defaultValue={of.description ?? ''} />
      </Field>
      <button type="submit">Save</button>{' '}
      <button type="button" onClick={onKeep}>
        Keep as it is
      </button>
      {error !== null && <RefusalBox error={error} />}
    </form>
  )
}
