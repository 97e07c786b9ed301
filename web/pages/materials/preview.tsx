import { Link } from '../../app/router.tsx'
import { Formula } from '../../parts/formula.tsx'
import { late } from '../../parts/late.tsx'
import { RefusalBox } from '../../parts/refusal-box.tsx'
import { Skeleton } from '../../parts/skeleton.tsx'
import { valueAt } from '../../parts/value-at.ts'
import { cellText } from './cell-text.ts'
import './preview.css'
import type { Collection, Row } from './collections.ts'
import { nameOf } from './records-table.tsx'
import { useAnswer } from './use-answer.ts'

const PreviewCrystal = late(async () => (await import('./preview-crystal.tsx')).PreviewCrystal)

/** What is told of a record beside the table, when it has it. */
const FACTS: readonly (readonly [path: string, title: string, unit?: string])[] = [
  ['formula', 'Formula'],
  ['spaceGroup.symbol', 'Space group'],
  ['spaceGroup.crystalSystem', 'Crystal system'],
  ['lattice.type', 'Lattice'],
  ['lattice.a', 'a', 'Å'],
  ['lattice.b', 'b', 'Å'],
  ['lattice.c', 'c', 'Å'],
  ['lattice.alpha', 'α', '°'],
  ['lattice.beta', 'β', '°'],
  ['lattice.gamma', 'γ', '°'],
  ['nSites', 'Sites'],
  ['volume', 'Volume', 'Å³'],
  ['density', 'Density', 'g/cm³'],
  ['type', 'Type'],
  ['subtype', 'Subtype'],
  ['tags', 'Tags'],
  ['description', 'Description'],
  ['owner.slug', 'Owner'],
]

/** The record that somebody points at in the table, or that has the focus there. */
export function Preview({ collection, id }: { readonly collection: Collection; readonly id: string }) {
  const answered = useAnswer<Row>({ method: 'GET', path: `/${collection.name}/${encodeURIComponent(id)}` })
  return (
    <aside class="preview" aria-label="Preview">
      {answered === null ? (
        <Skeleton />
      ) : 'error' in answered ? (
        <RefusalBox error={answered.error} />
      ) : (
        <Facts collection={collection} record={answered.answer.data} />
      )}
      <p class="fine">
        <kbd>j</kbd> and <kbd>k</kbd> go down and up, <kbd>Enter</kbd> opens, <kbd>x</kbd> selects.
      </p>
    </aside>
  )
}

function Facts({ collection, record }: { readonly collection: Collection; readonly record: Row }) {
  const id = String(record['_id'])
  const isBohr = valueAt(record, 'lattice.units.length') === 'bohr'
  const facts = FACTS.flatMap(([path, title, unit]) => {
    const value = valueAt(record, path)
    const text = cellText(value)
    return text === '' ? [] : [{ path, title, text, unit: unit === 'Å' && isBohr ? 'bohr' : unit }]
  })
  return (
    <>
      <h2>{nameOf(record, collection)}</h2>
      {'basis' in record && <PreviewCrystal record={record} />}
      <dl class="preview-facts">
        {facts.map(({ path, title, text, unit }) => (
          <div key={path}>
            <dt>{title}</dt>
            <dd>
              {path === 'formula' ? <Formula text={text} /> : text}
              {unit !== undefined && ` ${unit}`}
            </dd>
          </div>
        ))}
      </dl>
      <Link to={`/${collection.name}/${encodeURIComponent(id)}`}>Open the {collection.one}</Link>
    </>
  )
}
