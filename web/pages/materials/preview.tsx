import { reading, useAnswer } from '../../api/use-answer.ts'
import { Link } from '../../app/router.tsx'
import { late } from '../../parts/late.tsx'
import { RefusalBox } from '../../parts/refusal-box.tsx'
import { Skeleton } from '../../parts/skeleton.tsx'
import { valueAt } from '../../parts/value-at.ts'
import { cellText } from './cell-text.ts'
import { CellValue } from './cell-value.tsx'
import './preview.css'
import { type Collection, columnAt, OWNER, type Row } from './collections.ts'
import { nameOf } from './records-table.tsx'

const PreviewCrystal = late(async () => (await import('./preview-crystal.tsx')).PreviewCrystal)

/** What is told of a record beside the table, when it has it. */
const FACTS = (
  'formula spaceGroup.symbol spaceGroup.crystalSystem prototype.name lattice.type lattice.a lattice.b lattice.c lattice.alpha lattice.beta ' +
  'lattice.gamma nSites volume density'
).split(' ')
const FACTS_OF_ALL = ['tags', 'description', OWNER]

/** Of crystals what is worth knowing, of other kinds the fields that their list has. */
function factsOf({ hasElements, columns }: Collection): readonly string[] {
  const own = columns.map(({ path }) => path).filter((path) => !['name', 'tags', 'updatedAt'].includes(path))
  return [...(hasElements ? FACTS : own), ...FACTS_OF_ALL]
}

interface PreviewProps {
  readonly collection: Collection
  readonly id: string
  /** Records of the list; where they are others, this one is asked for anew: one that was deleted is not among them. */
  readonly records: readonly Row[]
}

/** The record that somebody points at in the table, or that has the focus there. */
export function Preview({ collection, id, records }: PreviewProps) {
  const { data, error } = useAnswer<Row>(reading(`/${collection.name}/${encodeURIComponent(id)}`), records)
  return (
    <aside class="preview" aria-label="Preview">
      {error !== undefined ? (
        <RefusalBox error={error} />
      ) : data === null ? (
        <Skeleton />
      ) : (
        <Facts collection={collection} record={data} />
      )}
      <p class="fine">
        <kbd>j</kbd> and <kbd>k</kbd> go down and up, <kbd>Enter</kbd> opens, <kbd>x</kbd> selects.
      </p>
    </aside>
  )
}

function Facts({ collection, record }: { readonly collection: Collection; readonly record: Row }) {
  const id = String(record['_id'])
  const length = valueAt(record, 'lattice.units.length') === 'bohr' ? 'bohr' : 'Å'
  const facts = factsOf(collection).flatMap((path) => {
    const value = valueAt(record, path)
    const { title, unit } = columnAt(collection, path)
    const isLength = /^lattice\.[abc]$/.test(path)
    return cellText(value) === '' ? [] : [{ path, title, value, unit: isLength ? length : unit }]
  })
  return (
    <>
      <h2>{nameOf(record, collection)}</h2>
      {'basis' in record && <PreviewCrystal record={record} />}
      <dl class="preview-facts">
        {facts.map(({ path, title, value, unit }) => (
          <div key={path}>
            <dt>{title}</dt>
            <dd>
              <CellValue path={path} value={value} record={record} isWhole />
              {unit !== undefined && ` ${unit}`}
            </dd>
          </div>
        ))}
      </dl>
      <Link to={`/${collection.name}/${encodeURIComponent(id)}`}>Open the {collection.one}</Link>
    </>
  )
}
