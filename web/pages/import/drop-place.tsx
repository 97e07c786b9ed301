import { useEffect, useRef, useState } from 'preact/hooks'
import { calledBy } from '../../app/called-by.ts'
import { me } from '../../app/session-state.ts'
import { Field } from '../../parts/field.tsx'
import { addFiles } from './import-items.ts'
import { addHanded } from './runs/import-batches.ts'
import { chosenTarget, targetAccount } from './target-account.ts'

/** Where files are dropped, chosen or written, and into which account they come. */
export function DropPlace() {
  const [isOver, setOver] = useState(false)
  const [text, setText] = useState('')
  function look(): void {
    addFiles([new File([text], 'pasted')])
    setText('')
  }
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: what is dropped here can be chosen with the button as well
    <div
      class={isOver ? 'drop over' : 'drop'}
      onDragOver={() => setOver(true)}
      onDragLeave={() => setOver(false)}
      onDrop={() => setOver(false)}
    >
      <p>
        <strong>Drop files or folders here</strong>, or archives of them. Nothing is stored before you say so.
      </p>
      <dl class="drop-kinds">
        <div>
          <dt>Structures</dt>
          <dd>CIF, POSCAR, XYZ, Quantum ESPRESSO, JSON; paste one anywhere.</dd>
        </div>
        <div>
          <dt>Calculations</dt>
          <dd>Folders of VASP, Quantum ESPRESSO, ASE, AiiDA and others, as they are, any number at once.</dd>
        </div>
      </dl>
      <div class="drop-buttons">
        <Chooser words="Choose files" label="Structure files" />
        <Chooser words="Choose a folder" label="Folder of calculations" isFolder />
        <TargetChoice />
      </div>
      <details>
        <summary>Or write one</summary>
        <Field label="Structure">
          <textarea
            rows={8}
            spellcheck={false}
            value={text}
            onInput={({ currentTarget }) => setText(currentTarget.value)}
          />
        </Field>
        <button type="button" disabled={text.trim() === ''} onClick={look}>
          Look at it
        </button>
      </details>
    </div>
  )
}

/** Of those who belong to one account alone nobody has to choose. */
function TargetChoice() {
  const accounts = me.value?.accounts ?? []
  if (accounts.length < 2) return null
  return (
    <label class="target-choice">
      into{' '}
      <select
        aria-label="Import into the account"
        value={targetAccount()}
        onChange={({ currentTarget }) => {
          chosenTarget.value = currentTarget.value
        }}
      >
        {accounts.map(({ entity }) => (
          <option key={entity._id} value={entity._id}>
            {calledBy(entity)}
          </option>
        ))}
      </select>
    </label>
  )
}

interface ChooserProps {
  readonly words: string
  readonly label: string
  readonly isFolder?: boolean
}

/** A button in the place of the field that browsers have for files. */
function Chooser({ words, label, isFolder = false }: ChooserProps) {
  const input = useRef<HTMLInputElement>(null)
  useEffect(() => {
    if (input.current !== null) input.current.webkitdirectory = isFolder
  }, [isFolder])
  return (
    <>
      <button type="button" onClick={() => input.current?.click()}>
        {words}
      </button>
      <input
        ref={input}
        class="unseen"
        type="file"
        multiple
        tabIndex={-1}
        aria-label={label}
        onChange={({ currentTarget }) => {
          void addHanded([...(currentTarget.files ?? [])])
          currentTarget.value = ''
        }}
      />
    </>
  )
}
