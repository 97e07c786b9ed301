import { useState } from 'preact/hooks'
import { propertyField } from '../../../src/page/property-fields.ts'
import { Menu } from '../../parts/menu.tsx'
import { Skeleton } from '../../parts/skeleton.tsx'
import { type Collection, type Column, columnAt } from './collections.ts'
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
  const known = fields.filter(isShown).map(({ path }) => path)
  const ofProperties = known.filter((path) => propertyField(path) !== null)
  const paths = [...new Set([...chosen, ...ofProperties, ...known])]
  const found = paths
    .map((path) => ({ ...columnAt(collection, path), isAsked: isAsked(path) || chosen.includes(path) }))
    .filter(({ path, title, isAsked }) => {
      if (path === 'name') return false
      return wanted === '' ? isAsked : `${path} ${title}`.toLowerCase().includes(wanted)
    })
    .slice(0, SHOWN_FIELDS)
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
        {found.map(({ path, title, unit }) => (
          <label key={path} title={fields.find((field) => field.path === path)?.title ?? path}>
            <input type="checkbox" checked={chosen.includes(path)} onChange={() => toggle(path)} />
            <span>
              {propertyField(path) === null ? path : title}
              {unit !== undefined && <span class="unit"> {unit}</span>}
            </span>
          </label>
        ))}
      </div>
      <button type="button" onClick={() => onChange('')}>
        As usual
      </button>
    </div>
  )
}

/** What only few want of a property is found by typing. */
function isAsked(path: string): boolean {
  return propertyField(path)?.isMain ?? true
}

function isShown({ types }: { readonly types: readonly string[] }): boolean {
  return types.some((type) => type !== 'object')
}
