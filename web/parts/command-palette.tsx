import './command-palette.css'
import { useEffect, useId, useMemo, useRef, useState } from 'preact/hooks'
import type { Command } from '../app/page-commands.ts'
import { Formula } from './formula.tsx'
import { matchingCommands } from './matching-commands.ts'
import { type Find, useFound } from './use-found.ts'

interface PaletteProps {
  readonly commands: readonly Command[]
  /** Finds more by what is typed, which is listed after the commands. */
  readonly find?: Find<Command> | undefined
  /** Called before what was chosen is done: the window that this stands in is closed then, and the focus where it was. */
  readonly onChosen: () => void
}

/** A field for the name of what one wants to do, and a list of what it may be. */
export function CommandPalette({ commands, find, onChosen }: PaletteProps) {
  const [text, setText] = useState('')
  const [at, setAt] = useState(0)
  const list = useRef<HTMLDivElement>(null)
  const id = useId()
  const matching = useMemo(() => matchingCommands(commands, text), [commands, text])
  const { found: further, hasFailed } = useFound(text.trim() === '' ? undefined : find, text)
  const found = [...matching, ...(further ?? [])]
  const current = found[at]

  useEffect(() => {
    list.current?.querySelector('[aria-selected=true]')?.scrollIntoView({ block: 'nearest' })
  }, [at, found.length])

  function choose(command: Command | undefined): void {
    if (command === undefined) return
    onChosen()
    requestAnimationFrame(command.run)
  }

  function onKeyDown(event: KeyboardEvent): void {
    const steps: Readonly<Record<string, number>> = {
      ArrowDown: at + 1,
      ArrowUp: at - 1,
      PageDown: at + 8,
      PageUp: at - 8,
    }
    const to = steps[event.key]
    if (to !== undefined) setAt(Math.min(Math.max(to, 0), found.length - 1))
    else if (event.key === 'Enter') choose(current)
    else return
    event.preventDefault()
  }

  return (
    <div class="palette">
      <input
        type="text"
        role="combobox"
        // biome-ignore lint/a11y/noAutofocus: the window was opened to write into it
        autofocus
        aria-label="What do you want to do?"
        placeholder="What do you want to do?"
        aria-expanded="true"
        aria-controls={`${id}-list`}
        aria-activedescendant={current === undefined ? undefined : `${id}-${at}`}
        autocomplete="off"
        spellcheck={false}
        value={text}
        onInput={({ currentTarget }) => {
          setText(currentTarget.value)
          setAt(0)
        }}
        onKeyDown={onKeyDown}
      />
      <p class="fine" role="status">
        {statusOf({ isLooking: further === null, hasFailed, length: found.length })}
      </p>
      <div ref={list} id={`${id}-list`} role="listbox" aria-label="Commands" tabIndex={-1}>
        {found.map((command, index) => (
          // biome-ignore lint/a11y/useKeyWithClickEvents: the keys are those of the field, which keeps the focus
          <div
            key={`${command.group} ${command.id ?? command.title}`}
            id={`${id}-${index}`}
            role="option"
            tabIndex={-1}
            aria-selected={index === at}
            onClick={() => choose(command)}
          >
            <span>{command.title}</span>
            {command.formula !== undefined && (
              <span class="palette-formula">
                <Formula text={command.formula} />
              </span>
            )}
            {command.key !== undefined && <kbd>{command.key}</kbd>}
            <span class="palette-group">{command.group}</span>
          </div>
        ))}
      </div>
    </div>
  )
}

/** What is told beside what is found. */
function statusOf({
  isLooking,
  hasFailed,
  length,
}: {
  isLooking: boolean
  hasFailed: boolean
  length: number
}): string {
  if (isLooking) return 'Looking for records…'
  if (hasFailed) return 'Records could not be looked for. Type on to try again.'
  return length === 0 ? 'Nothing has that name.' : ''
}
