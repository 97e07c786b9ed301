import type { ComponentChildren } from 'preact'
import { useEffect, useId, useRef } from 'preact/hooks'

interface DialogProps {
  readonly title: string
  /** Called when it is closed by key or by the button; the owner then stops showing it. */
  readonly onClose: () => void
  readonly children: ComponentChildren
}

/** A window in the page. The browser keeps the focus in it, and gives it back to what had it before, else to the content. */
export function Dialog({ title, onClose, children }: DialogProps) {
  const dialog = useRef<HTMLDialogElement>(null)
  const id = useId()
  useEffect(() => {
    const before = document.activeElement
    dialog.current?.showModal()
    return () => {
      const isThere = before instanceof HTMLElement && before.isConnected && before !== document.body
      const to = isThere ? before : document.getElementById('main')
      to?.focus({ preventScroll: true })
    }
  }, [])
  return (
    <dialog ref={dialog} aria-labelledby={id} onClose={onClose}>
      <header class="dialog-head">
        <h2 id={id}>{title}</h2>
        <button type="button" class="plain" aria-label="Close" onClick={() => dialog.current?.close()}>
          ✕
        </button>
      </header>
      {children}
    </dialog>
  )
}
