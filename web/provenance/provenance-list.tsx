import { Link } from '../app/router.tsx'
import {
  keyOf,
  kindText,
  nameText,
  type ProvenanceOfRecord,
  pathOf,
  type RelatedRecord,
  type Relation,
  relationText,
} from './provenance.ts'

interface ListProps {
  readonly provenance: ProvenanceOfRecord
  readonly links: readonly Relation[]
}

/** The graph as lists within lists: what it was made from, and what was made of it. */
export function ProvenanceList({ provenance: { record, nodes }, links }: ListProps) {
  const byKey = new Map(nodes.map((node) => [keyOf(node), node]))
  return (
    <>
      {[true, false].map((isBack) => {
        const isAny = links.some(({ from, to }) => (isBack ? from : to) === record)
        return (
          <section key={String(isBack)}>
            <h3>{isBack ? 'Made from' : 'Made of it'}</h3>
            {isAny ? (
              <Related of={record} records={byKey} links={links} isBack={isBack} told={new Set([record])} />
            ) : (
              <p>Nothing that is known.</p>
            )}
          </section>
        )
      })}
    </>
  )
}

interface RelatedProps {
  readonly of: string
  readonly records: ReadonlyMap<string, RelatedRecord>
  readonly links: readonly Relation[]
  readonly isBack: boolean
  /** What was told before it, of which nothing is told again. */
  readonly told: Set<string>
}

function Related(props: RelatedProps) {
  const { of, records, links, isBack, told } = props
  const found = links.filter(({ from, to }) => (isBack ? from : to) === of)
  if (found.length === 0) return null
  return (
    <ul>
      {found.map((link) => {
        const key = isBack ? link.to : link.from
        const record = records.get(key)
        if (record === undefined) return null
        const isTold = told.has(key)
        told.add(key)
        return (
          <li key={`${key} ${link.how}`}>
            {relationText(link)}: {kindText(record.collection).toLowerCase()} <RecordName record={record} />
            {isTold ? ', told of already' : <Related {...props} of={key} />}
          </li>
        )
      })}
    </ul>
  )
}

function RecordName({ record }: { readonly record: RelatedRecord }) {
  const path = pathOf(record)
  if (path === null) return <>{nameText(record)}, not seen or gone</>
  return <Link to={path}>{nameText(record)}</Link>
}
