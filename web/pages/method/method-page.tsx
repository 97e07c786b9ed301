import { useEffect, useState } from 'preact/hooks'
import type { PageAddress } from '../../../src/page/addresses.ts'
import { ask } from '../../api/client.ts'
import { backTo, Link } from '../../app/router.tsx'
import { writes } from '../../app/undo.ts'
import { JsonTree } from '../../parts/json-tree.tsx'
import { RefusalBox } from '../../parts/refusal-box.tsx'
import { Skeleton } from '../../parts/skeleton.tsx'
import { valueAt } from '../../parts/value-at.ts'
import { RecordActions } from '../curate/record-actions.tsx'
import { collectionAt } from '../materials/collections.ts'

type Loaded = { readonly record: Record<string, unknown> } | { readonly error: unknown }

/** What stands above the JSON, when a record has it. */
const FACTS: readonly (readonly [path: string, name: string])[] = [
  ['formula', 'Formula'],
  ['lattice.type', 'Lattice'],
  ['type', 'Type'],
  ['subtype', 'Subtype'],
  ['owner.slug', 'Owner'],
  ['_id', 'Identifier'],
]

/** One record: a few facts and its JSON. */
export function MethodPage({ address }: { readonly address: PageAddress }) {
  const collection = collectionAt(address.page)
  const { id = '' } = address.at
  const list = `/${collection.name}`
  const [round, setRound] = useState(0)
  const [loaded, setLoaded] = useState<Loaded | null>(null)
  useEffect(() => {
    const end = new AbortController()
    ask<Record<string, unknown>>('GET', `/${collection.name}/${encodeURIComponent(id)}`, { signal: end.signal }).then(
      ({ data }) => setLoaded({ record: data }),
      (error) => end.signal.aborted || setLoaded({ error }),
    )
    return () => end.abort()
  }, [collection, id, round, writes.value])
  return (
    <section>
      <p>
        <Link to={list} onFollow={backTo(list)}>
          ← {collection.title}
        </Link>
      </p>
      {loaded === null ? (
        <Skeleton />
      ) : 'error' in loaded ? (
        <>
          <h1>There is no such {collection.one} for you</h1>
          <RefusalBox error={loaded.error} />
        </>
      ) : (
        <>
          <RecordActions
            collection={collection.name}
            one={collection.one}
            record={loaded.record}
            onChanged={() => setRound(round + 1)}
          />
          <Present one={collection.one} record={loaded.record} />
        </>
      )}
    </section>
  )
}

function Present({ one, record }: { readonly one: string; readonly record: Record<string, unknown> }) {
  const facts = FACTS.flatMap(([path, name]) => {
    const value = valueAt(record, path)
    return typeof value === 'string' ? [{ name, value }] : []
  })
  return (
    <>
      <h1>{typeof record['name'] === 'string' ? record['name'] : `Unnamed ${one}`}</h1>
      <dl class="facts">
        {facts.map(({ name, value }) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
      <JsonTree label={`JSON of this ${one}`} value={record} />
    </>
  )
}
