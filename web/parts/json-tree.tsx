import './json-tree.css'
import { useLayoutEffect, useMemo, useRef, useState } from 'preact/hooks'
import { CopyButton } from './copyable.tsx'
import { dottedPath, findInJson, idOf, idsAbove, type Path, preview, type Row, rowsOf, sizeOf } from './json-rows.ts'
import { formatJson } from './json-text.ts'
import { stepInTree } from './tree-keys.ts'

interface JsonTreeProps {
  readonly value: unknown
  /** What the value is, for people who do not see it. */
  readonly label: string
}

/** Characters of a closed value that are shown. */
const PREVIEW = 90
const MOST_FOUND = 1000

/** A JSON value as a tree that is opened where one wants to read, with a search, and paths and values to take away. */
export function JsonTree({ value, label }: JsonTreeProps) {
  const [open, setOpen] = useState<ReadonlySet<string>>(new Set())
  const [current, setCurrent] = useState<Path>([])
  const tree = useRef<HTMLDivElement>(null)
  const wanted = useRef<string | null>(null)
  const rows = useMemo(() => rowsOf(value, open), [value, open])

  // The tree is one stop of the Tab key: at the row where one was, or at the first.
  useLayoutEffect(() => {
    const items = [...(tree.current?.querySelectorAll<HTMLElement>('[role=treeitem]') ?? [])]
    const sought = items.find(({ dataset }) => dataset['row'] === wanted.current)
    wanted.current = null
    if (sought !== undefined) enter(sought)
    else if (!items.some(({ tabIndex }) => tabIndex === 0) && items[0] !== undefined) items[0].tabIndex = 0
  }, [rows])

  function enter(item: HTMLElement): void {
    for (const one of tree.current?.querySelectorAll<HTMLElement>('[tabindex="0"]') ?? []) one.tabIndex = -1
    item.tabIndex = 0
    item.focus()
  }

  function setRow(row: Row, isOpen: boolean): void {
    if (!row.canOpen) return
    const changed = new Set(open)
    if (isOpen) changed.add(row.id)
    else changed.delete(row.id)
    setOpen(changed)
  }

  function show(path: Path): void {
    setCurrent(path)
    wanted.current = idOf(path)
    setOpen(new Set([...open, ...idsAbove(value, path)]))
  }

  function rowOf(target: EventTarget | null): Row | undefined {
    const item = target instanceof Element ? target.closest<HTMLElement>('[role=treeitem]') : null
    return item === null ? undefined : rows.find(({ id }) => id === item.dataset['row'])
  }

  function onKeyDown(event: KeyboardEvent): void {
    const row = rowOf(event.target)
    if (row === undefined || event.ctrlKey || event.metaKey || event.altKey) return
    const step = stepInTree(rows, row, event.key)
    if (step === null) return
    event.preventDefault()
    if (step.open !== undefined) setOpen(new Set([...open, ...step.open]))
    if (step.close !== undefined) setRow(step.close, false)
    const to = step.focus
    if (to !== undefined) enter(tree.current?.children[rows.indexOf(to)] as HTMLElement)
  }

  /** What is copied where nothing is marked is the value of the row. */
  function onCopy(event: ClipboardEvent): void {
    const row = rowOf(event.target)
    if (row === undefined || String(getSelection()) !== '') return
    event.preventDefault()
    event.clipboardData?.setData('text/plain', formatJson(row.value))
  }

  const chosen = useMemo(() => valueIn(value, current), [value, current])
  return (
    <div class="json-tree">
      <TreeSearch value={value} label={label} onFound={show} />
      <div
        ref={tree}
        role="tree"
        aria-label={label}
        class="json-rows"
        onKeyDown={onKeyDown}
        onCopy={onCopy}
        onFocusIn={({ target }) => setCurrent(rowOf(target)?.path ?? [])}
        onClick={({ target }) => {
          const row = rowOf(target)
          if (row !== undefined && String(getSelection()) === '') setRow(row, !row.isOpen)
        }}
      >
        {rows.map((row) => (
          <TreeRow key={row.id} row={row} />
        ))}
      </div>
      <div class="json-chosen">
        <code>{current.length === 0 ? 'Everything' : dottedPath(current)}</code>
        {current.length > 0 && (
          <CopyButton label="path" text={dottedPath(current)}>
            Copy path
          </CopyButton>
        )}
        <CopyButton label="value" text={() => formatJson(chosen)}>
          Copy value
        </CopyButton>
      </div>
    </div>
  )
}

function valueIn(root: unknown, path: Path): unknown {
  return path.reduce((value, step) => (value as Record<string | number, unknown>)[step], root)
}

function TreeRow({ row }: { readonly row: Row }) {
  const { id, path, value, range, level, position, siblings, isOpen, canOpen } = row
  const name = range === null ? String(path.at(-1)) : `${range[0]} … ${range[1] - 1}`
  return (
    <div
      role="treeitem"
      data-row={id}
      tabIndex={-1}
      aria-level={level}
      aria-posinset={position}
      aria-setsize={siblings}
      aria-expanded={canOpen ? isOpen : undefined}
      style={{ paddingLeft: `${(level - 1) * 1.1 + 0.25}rem` }}
    >
      <span class="json-twist" aria-hidden="true">
        {canOpen ? (isOpen ? '▾' : '▸') : ''}
      </span>
      <span class="json-name">{name}</span>
      <span class="json-colon">: </span>
      <TreeValue value={value} isOpen={isOpen} isRange={range !== null} />
    </div>
  )
}

interface TreeValueProps {
  readonly value: unknown
  readonly isOpen: boolean
  readonly isRange: boolean
}

function TreeValue({ value, isOpen, isRange }: TreeValueProps) {
  if (isRange) return null
  if (typeof value !== 'object' || value === null)
    return <span class={`json-${value === null ? 'null' : typeof value}`}>{JSON.stringify(value)}</span>
  const size = sizeOf(value)
  const count = Array.isArray(value)
    ? size === 1
      ? '1 element'
      : `${size} elements`
    : size === 1
      ? '1 field'
      : `${size} fields`
  const text = preview(value, PREVIEW)
  const isCut = /…[\]}]$/.test(text)
  return (
    <>
      {(isOpen || isCut) && <span class="json-count">{count} </span>}
      {!isOpen && <span class="json-preview">{text}</span>}
    </>
  )
}

interface TreeSearchProps extends JsonTreeProps {
  readonly onFound: (path: Path) => void
}

function TreeSearch({ value, label, onFound }: TreeSearchProps) {
  const [text, setText] = useState('')
  const [at, setAt] = useState(-1)
  const found = useMemo(() => findInJson(value, text.trim(), MOST_FOUND), [value, text])

  function go(by: number): void {
    if (found.length === 0) return
    const next = (Math.max(at, by < 0 ? 0 : -1) + by + found.length) % found.length
    setAt(next)
    onFound(found[next] as Path)
  }

  const many = found.length === MOST_FOUND ? `${MOST_FOUND} or more` : String(found.length)
  const words = text.trim() === '' ? '' : at < 0 || found.length === 0 ? `${many} found` : `${at + 1} of ${many}`
  return (
    <div role="search" aria-label={`Find in ${label}`} class="json-search">
      <input
        type="search"
        aria-label="Find in this value"
        placeholder="Find a field or a value"
        value={text}
        onInput={({ currentTarget }) => {
          setText(currentTarget.value)
          setAt(-1)
        }}
        onKeyDown={(event) => {
          if (event.key !== 'Enter') return
          event.preventDefault()
          go(event.shiftKey ? -1 : 1)
        }}
      />
      <button type="button" class="plain" disabled={found.length === 0} aria-label="Previous" onClick={() => go(-1)}>
        ↑
      </button>
      <button type="button" class="plain" disabled={found.length === 0} aria-label="Next" onClick={() => go(1)}>
        ↓
      </button>
      <span role="status" class="fine">
        {words}
      </span>
    </div>
  )
}
