import { useEffect, useRef, useState } from 'preact/hooks'
import { announce } from '../../app/announce.ts'
import { handedOver } from '../../app/handed-over.ts'
import { me } from '../../app/session-state.ts'
import { Field } from '../../parts/field.tsx'
import { ImportItem } from './import-item.tsx'
import { addFiles, items, mayHaveSeveral, type OnDuplicate, storeAll } from './import-items.ts'
import { BatchSection } from './runs/batch-section.tsx'
import { addHanded, batches } from './runs/import-batches.ts'
import './import.css'

/** Structures and calculations: dropped, chosen or pasted, looked at, and stored where somebody says so. */
export function ImportPage() {
  const [onDuplicate, setOnDuplicate] = useState<OnDuplicate>('return')
  const [tagText, setTagText] = useState('')
  const [allFrames, setAllFrames] = useState(false)
  const tags = tagText
    .split(',')
    .map((tag) => tag.trim())
    .filter((tag) => tag !== '')
  const terms = { onDuplicate, tags, allFrames }
  const given = handedOver.value
  useEffect(() => {
    if (given.length === 0) return
    handedOver.value = []
    void addHanded(given)
  }, [given])
  const own = batches.value.filter(({ userId }) => userId === me.value?.user.entity._id)
  const ready = items.value.filter(({ state }) => state.step === 'ready').length
  const busy = items.value.filter(({ state }) => state.step === 'storing' || state.step === 'reading').length
  const done = items.value.filter(({ state }) => state.step === 'done').length
  useEffect(() => {
    if (busy === 0 && done > 0) announce(`${done} of ${items.value.length} files are stored.`)
  }, [busy, done])
  return (
    <section>
      <h1>Import</h1>
      <Drop />
      {own.map((batch) => (
        <BatchSection key={batch.key} batch={batch} />
      ))}
      {items.value.length > 0 && (
        <>
          {own.length > 0 && <h2>Structures</h2>}
          <div class="row import-terms">
            <Field label="Tags" hint="For all of them, with commas between.">
              <input
                value={tagText}
                placeholder="imported"
                onInput={({ currentTarget }) => setTagText(currentTarget.value)}
              />
            </Field>
            <Field label="A structure that is there already">
              <select
                value={onDuplicate}
                onChange={({ currentTarget }) => setOnDuplicate(currentTarget.value as OnDuplicate)}
              >
                <option value="return">is left as it is</option>
                <option value="create">is stored once more</option>
                <option value="fail">is refused</option>
              </select>
            </Field>
            {(allFrames || items.value.some(mayHaveSeveral)) && (
              <Field label="Of a file of several structures">
                <select
                  value={allFrames ? 'all' : 'first'}
                  onChange={({ currentTarget }) => setAllFrames(currentTarget.value === 'all')}
                >
                  <option value="first">the first is stored</option>
                  <option value="all">all are stored, as a set</option>
                </select>
              </Field>
            )}
            <button type="submit" disabled={ready === 0} onClick={() => storeAll(terms)}>
              {ready > 1 ? `Store all ${ready}` : 'Store'}
            </button>
          </div>
          {busy > 0 && (
            <progress
              class="import-progress"
              max={items.value.length}
              value={items.value.length - busy}
              aria-label="Files that are done"
            />
          )}
          <ul class="import-list">
            {items.value.map((item) => (
              <ImportItem key={item.key} item={item} terms={terms} />
            ))}
          </ul>
        </>
      )}
    </section>
  )
}

function Drop() {
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
      <p class="drop-buttons">
        <Chooser words="Choose files" label="Structure files" />
        <Chooser words="Choose a folder" label="Folder of calculations" isFolder />
      </p>
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
