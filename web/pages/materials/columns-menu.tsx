import { useState } from 'preact/hooks'
import { Menu } from '../../parts/menu.tsx'
import { Skeleton } from '../../parts/skeleton.tsx'
import type { Collection, Column } from './collections.ts'
import { useFields } from './use-fields.ts'

interface ColumnsMenuProps {
  readonly collection: Collection
  readonly columns: readonly Column[]
  /** Paths with commas between them; empty for those that go without saying. */
  readonly onChange: (columns: string) => void
}

/** Any field that records have, as a column. */
export function ColumnsMenu(props: ColumnsMenuProps) {
  return (
    <Menu label="Columns">
      <Choice {...props} />
    </Menu>
  )
}

const SHOWN_FIELDS = 60

function Choice({ collection, columns, onChange }: ColumnsMenuProps) {
  const fields = useFields(collection)
  const [typed, setTyped] = useState('')
  if (fields === null) return <Skeleton />
  const chosen = columns.map(({ path }) => path)
  const wanted = typed.trim().toLowerCase()
  const paths = [...new Set([...chosen, ...fields.filter(isShown).map(({ path }) => path)])]
  const found = paths.filter((path) => path !== 'name' && path.toLowerCase().includes(wanted)).slice(0, SHOWN_FIELDS)
  function toggle(path: string): void {
    const next = chosen.includes(path) ? chosen.filter((one) => one !== path) : [...chosen, path]
    onChange(next.filter((one) => one !== 'name').join(',') || 'name')
  }
  return (
    <div class="columns-choice">
      <input
        type="search"
        aria-label="Find a field"
        placeholder="Find a field"
        value={typed}
        onInput={({ currentTarget }) => setTyped(currentTarget.value)}
      />
      <div class="columns-list">
        {found.map((path) => (
          <label key={path} title={fields.find((field) => field.path === path)?.title ?? undefined}>
            <input type="checkbox" checked={chosen.includes(path)} onChange={() => toggle(path)} />
            {path}
          </label>
        ))}
      </div>
      <button type="button" onClick={() => onChange('')}>
        As usual
      </button>
    </div>
  )
}

function isShown({ types }: { readonly types: readonly string[] }): boolean {
  return types.some((type) => type !== 'object')
}
