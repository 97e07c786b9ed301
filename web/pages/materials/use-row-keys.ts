import { useEffect, useRef } from 'preact/hooks'

/** What keys do in a list. */
interface RowKeys {
  /** Goes so many rows down. */
  readonly move: (rows: 1 | -1) => void
  readonly select: () => void
}

function isForOthers({ target, ctrlKey, metaKey, altKey }: KeyboardEvent): boolean {
  if (ctrlKey || metaKey || altKey || !(target instanceof Element)) return true
  return target.closest('input:not([type="checkbox"]), textarea, select, dialog') !== null
}

/** j and k go down and up, x selects; while somebody types elsewhere, or a window is open, they are letters. */
export function useRowKeys(keys: RowKeys): void {
  // Keys come faster than what is shown is put on the screen.
  const latest = useRef(keys)
  latest.current = keys
  useEffect(() => {
    function onKey(event: KeyboardEvent): void {
      if (isForOthers(event)) return
      const { key } = event
      if (key === 'j' || key === 'k') {
        event.preventDefault()
        latest.current.move(key === 'j' ? 1 : -1)
      } else if (key === 'x') latest.current.select()
      else if (key === '/') {
        event.preventDefault()
        document.getElementById('search-line')?.focus()
      }
    }
    document.addEventListener('keydown', onKey)
    return () => document.removeEventListener('keydown', onKey)
  }, [])
}
