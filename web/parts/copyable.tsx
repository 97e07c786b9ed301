import { useState } from 'preact/hooks'
import { announce } from '../app/announce.ts'

/** A text that is meant to be taken away, with the button for it. */
export function Copyable({ label, text }: { readonly label: string; readonly text: string }) {
  return (
    <div class="copyable">
      <pre tabIndex={0} role="region" aria-label={label}>
        {text}
      </pre>
      <CopyButton label={label} text={text} />
    </div>
  )
}

interface CopyProps {
  /** What is copied, for people who do not see where the button stands. */
  readonly label: string
  /** A long one is written when it is asked for. */
  readonly text: string | (() => string)
  readonly children?: string
}

/** Without TLS browsers give no clipboard to a page of another host: then it says so. */
export function CopyButton({ label, text, children = 'Copy' }: CopyProps) {
  const [outcome, setOutcome] = useState<string | null>(null)
  async function copy(): Promise<void> {
    const { clipboard } = navigator as { clipboard?: Clipboard }
    const written = typeof text === 'string' ? text : text()
    const isCopied = await Promise.resolve(clipboard?.writeText(written)).then(
      () => clipboard !== undefined,
      () => false,
    )
    setOutcome(isCopied ? 'Copied' : 'Select and copy by hand')
    announce(isCopied ? `Copied ${label}` : 'The browser does not let this page copy')
  }
  return (
    <button type="button" aria-label={`Copy ${label}`} onClick={() => void copy()} onBlur={() => setOutcome(null)}>
      {outcome ?? children}
    </button>
  )
}
