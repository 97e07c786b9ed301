import type { ComponentChildren } from 'preact'
import { useState } from 'preact/hooks'
import type { HelpName } from './helps.ts'
import { late } from './late.tsx'

/** The words come when somebody asks for them. */
const HelpWords = late(async () => (await import('./help-words.tsx')).HelpWords)

interface PageTitleProps {
  readonly help: HelpName
  readonly children: ComponentChildren
}

/** The title of a page, with a sign beside it that says what the page is for. */
export function PageTitle({ help, children }: PageTitleProps) {
  return (
    <div class="titled">
      <h1>{children}</h1>
      <HelpMark of={help} />
    </div>
  )
}

/** A sign that opens one paragraph on what is shown, and the way to more of it. */
export function HelpMark({ of }: { readonly of: HelpName }) {
  const [isOpen, setOpen] = useState(false)
  return (
    <>
      <button
        type="button"
        class="help-mark"
        aria-label="What is this?"
        aria-expanded={isOpen}
        onClick={() => setOpen(!isOpen)}
      >
        ?
      </button>
      {isOpen && <HelpWords of={of} />}
    </>
  )
}
