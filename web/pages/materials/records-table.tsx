import { useMemo } from 'preact/hooks'
import { Link } from '../../app/router.tsx'
import { late } from '../../parts/late.tsx'
import { valueAt } from '../../parts/value-at.ts'
import { Wide } from '../../parts/wide.tsx'
import { ChoiceBox, ChoiceOfAll } from '../curate/choice-box.tsx'
import { type Asked, listPath, sortOf } from './asked.ts'
import { CellValue } from './cell-value.tsx'
import type { Collection, Column, Row } from './collections.ts'
import { usePointing } from './use-pointing.ts'

const Thumbnail = late(async () => (await import('../../crystal/thumbnail.tsx')).Thumbnail)

/** Pixels of a side of a picture in a row. */
const PICTURE = 32

interface TableProps {
  readonly collection: Collection
  readonly asked: Asked
  readonly columns: readonly Column[]
  readonly records: readonly Row[]
  /** Identifiers of the records that are chosen. */
  readonly chosen: ReadonlySet<string>
  readonly onChoose: (chosen: ReadonlySet<string>) => void
  /** The record that keys speak of. */
  readonly focused: string | null
  readonly onFocus: (id: string) => void
  /** The record that is shown beside the table. */
  readonly shown: string | null
  /** Called with a record on which a mouse rests. */
  readonly onPoint: (id: string) => void
}

/** The records of one page. A click on the head of a column sorts by it, a second one the other way round. */
export function RecordsTable(props: TableProps) {
  const { collection, asked, columns, records, chosen, onChoose, focused, shown } = props
  const pointing = usePointing(props.onPoint)
  const lines = useMemo(
    () =>
      // A row is told by its place: another page changes its texts, which is half the work of new rows.
      records.map((record, index) => <Line key={index} {...props} record={record} pointing={pointing} />),
    // While an answer is awaited, nothing changes in them.
    [collection, records, asked.columns, chosen, focused, shown],
  )
  return (
    <Wide label={`Table of ${collection.name}`}>
      <table class="records">
        <thead>
          <tr>
            <td class="select">
              <ChoiceOfAll chosen={chosen} onChoose={onChoose} ids={records.map(idOf)} />
            </td>
            {columns.map((column) => (
              <Head key={column.path} collection={collection} asked={asked} column={column} records={records} />
            ))}
          </tr>
        </thead>
        <tbody>{lines}</tbody>
      </table>
    </Wide>
  )
}

export function idOf(record: Row): string {
  return String(record['_id'])
}

type HeadProps = Pick<TableProps, 'collection' | 'asked' | 'records'> & { readonly column: Column }

function Head({ collection, asked, column, records }: HeadProps) {
  const { path, title, unit } = column
  const hasNumbers = records.some((record) => typeof valueAt(record, path) === 'number')
  const sort = sortOf(asked)
  const [isUp, isDown] = [sort === path, sort === `-${path}`]
  const to = listPath(collection.name, { ...asked, skip: '', after: '', sort: isUp ? `-${path}` : path })
  return (
    <th
      scope="col"
      class={classOf(column, hasNumbers)}
      aria-sort={isUp ? 'ascending' : isDown ? 'descending' : undefined}
    >
      <Link to={to} title={path}>
        {title}
        {isUp ? ' ↑' : isDown ? ' ↓' : ''}
      </Link>
      {unit !== undefined && <span class="unit"> {unit}</span>}
    </th>
  )
}

interface LineProps extends TableProps {
  readonly record: Row
  readonly pointing: ReturnType<typeof usePointing>
}

function Line({ collection, columns, record, chosen, onChoose, focused, onFocus, shown, pointing }: LineProps) {
  const id = idOf(record)
  const name = nameOf(record, collection)
  const classes = [focused === id ? 'focused' : '', shown === id ? 'shown' : ''].join(' ').trim()
  return (
    <tr
      class={classes === '' ? undefined : classes}
      onPointerEnter={(event) => pointing.enter(event, id)}
      onPointerLeave={pointing.leave}
      onFocusIn={() => onFocus(id)}
      onClick={({ target }) => target instanceof Element && target.closest('a, input') === null && onFocus(id)}
    >
      <td class="select">
        <ChoiceBox chosen={chosen} onChoose={onChoose} id={id} name={name} />
      </td>
      {columns.map((column, index) =>
        index === 0 ? (
          <th key={column.path} scope="row" class={collection.hasCrystals ? 'pictured' : undefined}>
            {collection.hasCrystals && (
              <Thumbnail of={{ id, version: String(record['updatedAt'] ?? '') }} size={PICTURE} />
            )}
            <Link to={`/${collection.name}/${encodeURIComponent(id)}`}>{name}</Link>
          </th>
        ) : (
          <Cell key={column.path} collection={collection} column={column} record={record} />
        ),
      )}
    </tr>
  )
}

export function nameOf(record: Row, { one, titleOf }: Collection): string {
  const name = titleOf?.(record) ?? record['name']
  return typeof name === 'string' && name !== '' ? name : `unnamed ${one}`
}

type CellOfRecord = Pick<TableProps, 'collection'> & { readonly column: Column; readonly record: Row }

function Cell({ collection: { cell: Own }, column, record }: CellOfRecord) {
  const { path } = column
  const value = valueAt(record, path)
  const shown = <CellValue path={path} value={value} record={record} />
  return (
    <td class={classOf(column, typeof value === 'number')}>
      {Own === undefined ? shown : <Own path={path} record={record} otherwise={shown} />}
    </td>
  )
}

/** Numbers stand below each other at the right, and what is above them does, too. */
function classOf({ isMinor }: Column, isNumber: boolean): string | undefined {
  const names = [isMinor ? 'minor' : '', isNumber ? 'number' : ''].filter((name) => name !== '')
  return names.length === 0 ? undefined : names.join(' ')
}
