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

/** Without TLS browsers give no clipboard to a page of another host: then it says so. */
export function CopyButton({ label, text }: { readonly label: string; readonly text: string }) {
  const [words, setWords] = useState('Copy')
  async function copy(): Promise<void> {
    const { clipboard } = navigator as { clipboard?: Clipboard }
    const isCopied = await Promise.resolve(clipboard?.writeText(text)).then(
      () => clipboard !== undefined,
      () => false,
    )
    setWords(isCopied ? 'Copied' : 'Select and copy by hand')
    announce(isCopied ? `Copied ${label}` : 'The browser does not let this page copy')
  }
  return (
    <button type="button" aria-label={`Copy ${label}`} onClick={() => void copy()}>
      {words}
    </button>
  )
}
