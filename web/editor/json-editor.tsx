import './editor.css'
import { useEffect, useRef, useState } from 'preact/hooks'
import { readRelaxed } from '../query/relaxed-json.ts'
import type { Kind, MountedEditor } from './code-mirror.ts'
import type { KnownField } from './completions.ts'
import type { Problem } from './problems.ts'

export interface EditorProps {
  readonly value: string
  readonly onChange: (text: string) => void
  /** What it is, for people who do not see it: the element of a label cannot be tied to it. */
  readonly label: string
  /** Shown while it is empty. */
  readonly hint?: string
  /** Of the element that has it, such as the one that a label is for. */
  readonly id?: string
  readonly 'aria-describedby'?: string
  /** What is proposed while one types. */
  readonly fields?: readonly KnownField[]
  /** What the server said of the text as it was sent; what can be told of it here is added. */
  readonly problems?: readonly Problem[]
  /** What is to be selected; another object selects anew, and takes the focus. */
  readonly selected?: { readonly from: number; readonly to: number } | null
  /** Lines of text that there is room for at first. */
  readonly lines?: number
  /** Called by `submitsOn`, and always by Ctrl+Enter. */
  readonly onSubmit?: () => void
  readonly submitsOn?: 'Enter' | 'Mod-Enter'
}

/** For a query: proposes fields and operators. */
export function QueryEditor(props: EditorProps) {
  return <LateEditor kind="query" {...props} />
}

/** For a record: with numbers of lines, and parts that fold. */
export function JsonEditor(props: EditorProps) {
  return <LateEditor kind="record" lines={16} {...props} />
}

const NONE: readonly never[] = []

/** A plain field, which becomes an editor when the editor's file has come: it is asked for when somebody begins to write. */
function LateEditor({ kind, ...props }: EditorProps & { readonly kind: Kind }) {
  const {
    value,
    onChange,
    label,
    hint = '',
    fields = NONE,
    problems = NONE,
    lines = 1,
    onSubmit,
    submitsOn = 'Mod-Enter',
    selected = null,
  } = props
  const [isRich, setRich] = useState(false)
  const host = useRef<HTMLDivElement>(null)
  const plain = useRef<HTMLTextAreaElement>(null)
  const editor = useRef<MountedEditor | null>(null)
  // The editor outlives a rendering, and asks for what holds now. What the server said is of one text alone.
  const now = useRef({ ...props, fields, problems, sent: value })
  now.current = { ...props, fields, problems, sent: problems === now.current.problems ? now.current.sent : value }

  useEffect(() => () => editor.current?.remove(), [])
  // The texts that were typed and have not come back as the value yet. One that was typed meanwhile must not be taken for another text.
  const typed = useRef<readonly string[]>([])
  useEffect(() => {
    const at = typed.current.indexOf(value)
    typed.current = at === -1 ? [] : typed.current.slice(at + 1)
    if (at === -1) editor.current?.setText(value)
  }, [value])
  useEffect(() => editor.current?.check(), [problems])
  useEffect(() => {
    if (selected === null) return
    editor.current?.focus(selected)
    plain.current?.focus()
    plain.current?.setSelectionRange(selected.from, selected.to)
  }, [selected])

  function problemsIn(text: string): readonly Problem[] {
    const { problems, sent } = now.current
    if (text.trim() === '') return NONE
    const read = readRelaxed(text)
    if ('fault' in read) return [{ severity: 'error', ...read.fault }]
    return text === sent ? (problems ?? NONE) : NONE
  }

  async function load(): Promise<void> {
    const loaded = await import('./code-mirror.ts').catch(() => null)
    // Without its file the plain field stays.
    if (loaded === null || editor.current !== null || host.current === null || plain.current === null) return
    const { selectionStart: from, selectionEnd: to } = plain.current
    const hasFocus = document.activeElement === plain.current
    editor.current = loaded.mountEditor(host.current, {
      kind,
      text: plain.current.value,
      label,
      hint,
      submitsOn,
      onChange(text) {
        typed.current = [...typed.current, text]
        now.current.onChange(text)
      },
      onSubmit: () => now.current.onSubmit?.(),
      fields: () => now.current.fields,
      problemsIn,
    })
    // Before the field goes: the focus is never nowhere.
    if (hasFocus) editor.current.focus({ from, to })
    setRich(true)
  }

  function onKeyDown(event: KeyboardEvent): void {
    const isSubmit =
      event.key === 'Enter' && (event.ctrlKey || event.metaKey || (submitsOn === 'Enter' && !event.shiftKey))
    if (!isSubmit || onSubmit === undefined) return
    event.preventDefault()
    onSubmit()
  }

  const room = {
    '--editor-least': `${lines * 1.35 + 0.9}rem`,
    ...(kind === 'record' ? { '--editor-most': '75vh' } : {}),
  }
  return (
    <div class="editor" style={room}>
      <div ref={host} />
      {!isRich && (
        <textarea
          ref={plain}
          id={props.id}
          aria-label={label}
          aria-describedby={props['aria-describedby']}
          rows={lines}
          spellcheck={false}
          placeholder={hint}
          value={value}
          onFocus={() => void load()}
          onInput={({ currentTarget }) => onChange(currentTarget.value)}
          onKeyDown={onKeyDown}
        />
      )}
    </div>
  )
}
