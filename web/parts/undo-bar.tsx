import { useState } from 'preact/hooks'
import { announce } from '../app/announce.ts'
import { focusContent } from '../app/focus.ts'
import { noteWrite, type Undoable, undoable } from '../app/undo.ts'
import './undo-bar.css'

/** Says at the foot of the window what was done, and takes it back. */
export function UndoBar() {
  const offered = undoable.value
  return offered === null ? null : <Offer key={offered.text} offered={offered} />
}

function Offer({ offered }: { readonly offered: Undoable }) {
  const [words, setWords] = useState<{ text: string; state: 'offered' | 'busy' | 'over' }>({
    text: `${offered.text}.`,
    state: 'offered',
  })
  async function undo(): Promise<void> {
    setWords({ text: 'Undoing…', state: 'busy' })
    const text = await offered.undo().catch((error: Error) => `Not undone: ${error.message}`)
    setWords({ text, state: 'over' })
    announce(text)
    noteWrite()
  }
  return (
    <div class="undo-bar" role="region" aria-label="What was done last">
      <span>{words.text}</span>
      {words.state !== 'over' && (
        <button type="button" disabled={words.state === 'busy'} onClick={() => void undo()}>
          Undo
        </button>
      )}
      <button type="button" class="plain" aria-label="Dismiss" onClick={dismiss}>
        ✕
      </button>
    </div>
  )
}

function dismiss(): void {
  undoable.value = null
  focusContent()
}
