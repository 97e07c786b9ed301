import { Link } from '../../app/router.tsx'
import { Instant } from '../../parts/instant.tsx'
import { valueAt } from '../../parts/value-at.ts'
import { Wide } from '../../parts/wide.tsx'
import { ChoiceBox, ChoiceOfAll } from '../curate/choice-box.tsx'
import { type Asked, listPath } from './asked.ts'
import type { Collection, Column } from './collections.ts'

interface TableProps {
  readonly collection: Collection
  readonly asked: Asked
  readonly records: readonly Record<string, unknown>[]
  readonly chosen: ReadonlySet<string>
  readonly onChoose: (chosen: ReadonlySet<string>) => void
}

/** The records of one page. A click on the head of a column sorts by it, a second one the other way round. */
export function RecordsTable({ collection, asked, records, chosen, onChoose }: TableProps) {
  return (
    <Wide label={`Table of ${collection.name}`}>
      <table>
        <thead>
          <tr>
            <td class="choice-cell">
              <ChoiceOfAll chosen={chosen} onChoose={onChoose} ids={records.map(({ _id }) => String(_id))} />
            </td>
            {collection.columns.map((column) => (
              <Head key={column.path} collection={collection} asked={asked} column={column} />
            ))}
          </tr>
        </thead>
        <tbody>
          {records.map((record) => (
            <tr key={String(record['_id'])}>
              <td class="choice-cell">
                <ChoiceBox
                  chosen={chosen}
                  onChoose={onChoose}
                  id={String(record['_id'])}
                  name={String(record['name'] ?? record['_id'])}
                />
              </td>
              {collection.columns.map((column, index) => (
                <Cell key={column.path} collection={collection} column={column} isFirst={index === 0} record={record} />
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </Wide>
  )
}

function Head({ collection, asked, column }: { collection: Collection; asked: Asked; column: Column }) {
  const { path, title, isMinor } = column
  const isUp = asked.sort === path
  const isDown = asked.sort === `-${path}`
  const to = listPath(collection.name, { ...asked, skip: '', sort: isUp ? `-${path}` : path })
  return (
    <th
      scope="col"
      class={isMinor ? 'minor' : undefined}
      aria-sort={isUp ? 'ascending' : isDown ? 'descending' : undefined}
    >
      <Link to={to} title={`Sort by ${path}`}>
        {title}
        {isUp ? ' ↑' : isDown ? ' ↓' : ''}
      </Link>
    </th>
  )
}

interface CellProps {
  readonly collection: Collection
  readonly column: Column
  readonly isFirst: boolean
  readonly record: Record<string, unknown>
}

function Cell({ collection: { name, one }, column: { path, isMinor }, isFirst, record }: CellProps) {
  const value = valueAt(record, path)
  if (!isFirst) return <td class={isMinor ? 'minor' : undefined}>{shown(path, value)}</td>
  const title = typeof value === 'string' && value !== '' ? value : `unnamed ${one}`
  return (
    <th scope="row">
      <Link to={`/${name}/${encodeURIComponent(String(record['_id']))}`}>{title}</Link>
    </th>
  )
}

function shown(path: string, value: unknown) {
  if (path === 'createdAt') return <Instant at={value as string} />
  if (Array.isArray(value) && value.every((item) => typeof item === 'string')) return value.join(', ')
  if (value === undefined || value === null) return ''
  return typeof value === 'string' ? value : JSON.stringify(value)
}
