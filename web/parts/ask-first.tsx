import type { ComponentChildren } from 'preact'
import { useEffect, useRef, useState } from 'preact/hooks'
import { RefusalBox } from './refusal-box.tsx'

interface AskFirstProps {
  /** On the button. */
  readonly label: string
  /** What is told to those who do not see where the button stands. */
  readonly name?: string
  /** What will happen. */
  readonly question: ComponentChildren
  /** On the button that does it. */
  readonly yes: string
  /** What moved the focus itself returns true. */
  readonly onYes: () => Promise<unknown>
}

/** A button for what cannot be taken back: it asks in its own place, and keeps the focus there. */
export function AskFirst({ label, name, question, yes, onYes }: AskFirstProps) {
  const [isAsking, setAsking] = useState(false)
  const [isBusy, setBusy] = useState(false)
  const [error, setError] = useState<unknown>(null)
  const keep = useRef<HTMLButtonElement>(null)
  const first = useRef<HTMLButtonElement>(null)
  const wasAsking = useRef(false)
  useEffect(() => {
    if (isAsking) keep.current?.focus()
    else if (wasAsking.current) first.current?.focus()
    wasAsking.current = isAsking
  }, [isAsking])

  async function carryOut(): Promise<void> {
    setBusy(true)
    setError(null)
    try {
      await onYes()
      setAsking(false)
    } catch (refused) {
      setError(refused)
    } finally {
      setBusy(false)
    }
  }

  if (!isAsking)
    return (
      <button type="button" ref={first} aria-label={name} onClick={() => setAsking(true)}>
        {label}
      </button>
    )
  return (
    <span class="ask-first" role="group" aria-label={name ?? label}>
      <span>{question} </span>
      <button type="button" class="danger" disabled={isBusy} onClick={() => void carryOut()}>
        {yes}
      </button>{' '}
      <button type="button" ref={keep} onClick={() => setAsking(false)}>
        Keep
      </button>
      {error !== null && <RefusalBox error={error} />}
    </span>
  )
}
