import { useEffect, useState } from 'preact/hooks'
import { ask } from '../../api/client.ts'
import { announce } from '../../app/announce.ts'
import { focusContent } from '../../app/focus.ts'
import { chosenAccount } from '../../app/session.ts'
import { noteWrite, writes } from '../../app/undo.ts'
import { Empty } from '../../parts/empty.tsx'
import { Instant } from '../../parts/instant.tsx'
import { RefusalBox } from '../../parts/refusal-box.tsx'
import { Skeleton } from '../../parts/skeleton.tsx'
import { Wide } from '../../parts/wide.tsx'
import { numbered, undoChange } from '../curate/bulk.ts'

interface Removed {
  readonly _id: string
  readonly name: string | null
  readonly removedAt: string | null
  readonly removedBy: { readonly slug: string } | null
}

interface BulkChange {
  readonly _id: string
  readonly collection: string
  readonly action: 'update' | 'remove'
  readonly count: number
  readonly at: string
  readonly by: { readonly slug: string }
}

const COLLECTIONS = ['materials', 'methods'] as const

interface Shown {
  readonly removed: readonly (readonly [collection: string, records: readonly Removed[]])[]
  readonly changes: readonly BulkChange[]
}

/** What was deleted and what was done to many records at once: all of it can be put back. */
export function RemovedPage() {
  const [shown, setShown] = useState<Shown | null>(null)
  const [error, setError] = useState<unknown>(null)
  useEffect(() => {
    readAll().then(setShown, setError)
  }, [writes.value, chosenAccount.value])
  // The button that was pressed goes with what it was for.
  useEffect(focusContent, [shown])

  async function putBack(work: () => Promise<string>): Promise<void> {
    setError(null)
    try {
      announce(await work())
      noteWrite()
    } catch (refusal) {
      setError(refusal)
    }
  }

  async function restore(collection: string, { _id, name }: Removed): Promise<string> {
    await ask('POST', `/${collection}/${encodeURIComponent(_id)}/restore`)
    return `${name ?? _id} is restored.`
  }

  return (
    <section>
      <h1>Deleted and changed</h1>
      {error !== null && <RefusalBox error={error} />}
      {shown === null ? (
        error === null && <Skeleton />
      ) : (
        <>
          {shown.removed.map(([collection, records]) => (
            <RemovedTable
              key={collection}
              collection={collection}
              records={records}
              onRestore={(record) => void putBack(() => restore(collection, record))}
            />
          ))}
          <ChangesTable changes={shown.changes} onUndo={({ _id }) => void putBack(() => undoChange(_id))} />
        </>
      )}
    </section>
  )
}

async function readAll(): Promise<Shown> {
  const [changes, ...removed] = await Promise.all([
    ask<readonly BulkChange[]>('GET', '/bulk-changes'),
    ...COLLECTIONS.map((collection) =>
      ask<readonly Removed[]>('GET', `/${collection}/removed`, { search: { limit: '200' } }),
    ),
  ])
  return { changes: changes.data, removed: removed.map(({ data }, index) => [COLLECTIONS[index] ?? '', data]) }
}

interface RemovedTableProps {
  readonly collection: string
  readonly records: readonly Removed[]
  readonly onRestore: (record: Removed) => void
}

function RemovedTable({ collection, records, onRestore }: RemovedTableProps) {
  return (
    <>
      <h2>Deleted {collection}</h2>
      {records.length === 0 ? (
        <Empty>None.</Empty>
      ) : (
        <Wide label={`Deleted ${collection}`}>
          <table>
            <thead>
              <tr>
                <th scope="col">Name</th>
                <th scope="col">Deleted</th>
                <th scope="col" class="minor">
                  By
                </th>
                <th scope="col">What to do</th>
              </tr>
            </thead>
            <tbody>
              {records.map((record) => (
                <tr key={record._id}>
                  <th scope="row">{record.name ?? record._id}</th>
                  <td>
                    <Instant at={record.removedAt} />
                  </td>
                  <td class="minor">{record.removedBy?.slug}</td>
                  <td class="actions">
                    <button
                      type="button"
                      aria-label={`Restore ${record.name ?? record._id}`}
                      onClick={() => onRestore(record)}
                    >
                      Restore
                    </button>
                  </td>
                </tr>
              ))}
            </tbody>
          </table>
        </Wide>
      )}
    </>
  )
}

function ChangesTable({
  changes,
  onUndo,
}: {
  readonly changes: readonly BulkChange[]
  readonly onUndo: (change: BulkChange) => void
}) {
  return (
    <>
      <h2>Changes that can be undone</h2>
      {changes.length === 0 ? (
        <Empty>None in the last 30 days.</Empty>
      ) : (
        <Wide label="Changes that can be undone">
          <table>
            <thead>
              <tr>
                <th scope="col">What</th>
                <th scope="col">When</th>
                <th scope="col" class="minor">
                  By
                </th>
                <th scope="col">What to do</th>
              </tr>
            </thead>
            <tbody>
              {changes.map((change) => (
                <tr key={change._id}>
                  <th scope="row">
                    {change.collection}: {numbered(change.count, 'record')}{' '}
                    {change.action === 'remove' ? 'deleted' : 'changed'}
                  </th>
                  <td>
                    <Instant at={change.at} />
                  </td>
                  <td class="minor">{change.by.slug}</td>
                  <td class="actions">
                    <button type="button" aria-label={`Undo the change of ${change.at}`} onClick={() => onUndo(change)}>
                      Undo
                    </button>
                  </td>
                </tr>
              ))}
            </tbody>
          </table>
        </Wide>
      )}
    </>
  )
}
