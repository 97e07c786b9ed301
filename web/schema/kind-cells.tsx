import type { ComponentChildren } from 'preact'
import type { CellProps, Collection, Row } from '../pages/materials/collections.ts'
import { NamesOfRecords, RecordLinks } from '../parts/names-of-records.tsx'
import { valueAt } from '../parts/value-at.ts'

interface AroundProps {
  readonly records: readonly Row[]
  readonly children: ComponentChildren
}

/** How a list of a kind shows its columns: ids of other records, by the collections that they are of, as links with their names. */
export function cellsOf(references: ReadonlyMap<string, string>): Required<Pick<Collection, 'cell' | 'around'>> {
  function Cell({ path, record, otherwise }: CellProps) {
    const collection = references.get(path)
    const value = valueAt(record, path)
    if (collection !== undefined && typeof value === 'string')
      return <RecordLinks collection={collection} ids={[value]} />
    return typeof value === 'boolean' ? <>{value ? 'yes' : 'no'}</> : <>{otherwise}</>
  }

  function Around({ records, children }: AroundProps) {
    const ids: Record<string, string[]> = {}
    for (const [path, collection] of references) {
      const named = records.map((record) => valueAt(record, path)).filter((id) => typeof id === 'string')
      ids[collection] = [...(ids[collection] ?? []), ...named]
    }
    return <NamesOfRecords ids={ids}>{children}</NamesOfRecords>
  }

  return { cell: Cell, around: Around }
}
