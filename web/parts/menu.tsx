import type { ComponentChildren } from 'preact'
import { useEffect, useRef, useState } from 'preact/hooks'

/** A button that opens a panel below itself; Escape, a choice or a click elsewhere closes it. */
export function Menu({ label, children }: { readonly label: string; readonly children: ComponentChildren }) {
  const [isOpen, setOpen] = useState(false)
  const place = useRef<HTMLDivElement>(null)
  const button = useRef<HTMLButtonElement>(null)
  useEffect(() => {
    if (!isOpen) return
    const end = new AbortController()
    const { signal } = end
    document.addEventListener('pointerdown', ({ target }) => isWithin(target) || setOpen(false), { signal })
    document.addEventListener('focusin', ({ target }) => isWithin(target) || setOpen(false), { signal })
    return () => end.abort()
  }, [isOpen])

  function isWithin(target: EventTarget | null): boolean {
    return target instanceof Node && place.current?.contains(target) === true
  }

  function onKey(event: KeyboardEvent): void {
    if (event.key !== 'Escape' || !isOpen) return
    event.stopPropagation()
    setOpen(false)
    button.current?.focus()
  }

  /** What leads elsewhere closes the panel; what is set in it does not. */
  function onChoice({ target }: MouseEvent): void {
    if (target instanceof Element && target.closest('a') !== null) setOpen(false)
  }

  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: keys and clicks of what is within pass by here
    <div class="menu" ref={place} onKeyDown={onKey} onClick={onChoice}>
      <button type="button" class="plain" ref={button} aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
        {label} <span aria-hidden="true">▾</span>
      </button>
      {isOpen && <div class="menu-panel">{children}</div>}
    </div>
  )
}
