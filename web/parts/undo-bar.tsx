import { useState } from 'preact/hooks'
import { announce } from '../app/announce.ts'
import { focusContent } from '../app/focus.ts'
import { noteWrite, type Undoable, undoable } from '../app/undo.ts'
import './undo-bar.css'

/** Says at the foot of the window what was done, and takes it back where that can be. */
export function UndoBar() {
  const offered = undoable.value
  return offered === null ? null : <Offer key={offered.text} offered={offered} />
}

function Offer({ offered }: { readonly offered: Undoable }) {
  const [words, setWords] = useState<{ text: string; state: 'offered' | 'busy' | 'over' }>({
    text: `${offered.text}.`,
    state: 'offered',
  })
  const { undo: putBack } = offered
  async function undo(work: () => Promise<string>): Promise<void> {
    setWords({ text: 'Undoing…', state: 'busy' })
    const text = await work().catch((error: Error) => `Not undone: ${error.message}`)
    setWords({ text, state: 'over' })
    announce(text)
    noteWrite()
  }
  return (
    <div class="undo-bar" role="region" aria-label="What was done last">
      <span>{words.text}</span>
      {putBack !== null && words.state !== 'over' && (
        <button type="button" disabled={words.state === 'busy'} onClick={() => void undo(putBack)}>
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
