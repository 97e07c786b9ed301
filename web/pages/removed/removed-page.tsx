import { useEffect, useState } from 'preact/hooks'
import { ask } from '../../api/client.ts'
import { announce } from '../../app/announce.ts'
import type { BulkTask } from '../../app/bulk-tasks.ts'
import { focusContent } from '../../app/focus.ts'
import { chosenAccount } from '../../app/session.ts'
import { noteWrite, undoable, writes } from '../../app/undo.ts'
import { Empty } from '../../parts/empty.tsx'
import { Instant } from '../../parts/instant.tsx'
import { PageTitle } from '../../parts/page-title.tsx'
import { RefusalBox } from '../../parts/refusal-box.tsx'
import { Skeleton } from '../../parts/skeleton.tsx'
import { Wide } from '../../parts/wide.tsx'
import { askKinds } from '../../schema/ask-kinds.ts'
import { type Kind, manyOf } from '../../schema/kind.ts'
import { numbered, undoChange } from '../curate/bulk.ts'

interface Removed {
  readonly _id: string
  readonly name: string | null
  readonly removedAt: string | null
  readonly removedBy: { readonly slug: string } | null
}

interface BulkChange extends Pick<BulkTask, '_id' | 'collection' | 'action' | 'count' | 'undo' | 'at' | 'by'> {
  /** Of one that was carried out in portions. */
  readonly refused?: number
}

interface Shown {
  /** Of the kinds of which there are any. */
  readonly removed: readonly (readonly [kind: Kind, records: readonly Removed[]])[]
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
      // What the bar offers to put back may be just that.
      undoable.value = null
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
      <PageTitle help="removed">Deleted and changed</PageTitle>
      {error !== null && <RefusalBox error={error} />}
      {shown === null ? (
        error === null && <Skeleton />
      ) : (
        <>
          {shown.removed.length === 0 && (
            <>
              <h2>Deleted records</h2>
              <Empty>None.</Empty>
            </>
          )}
          {shown.removed.map(([kind, records]) => (
            <ReversibleTable
              key={kind.collection}
              title={`Deleted: ${manyOf(kind)}`}
              columns={['Name', 'Deleted']}
              button="Restore"
              none="None."
              rows={records.map((record) => ({
                id: record._id,
                what: record.name ?? record._id,
                at: record.removedAt,
                by: record.removedBy?.slug,
                label: `Restore ${record.name ?? record._id}`,
                reverse: () => void putBack(() => restore(kind.collection, record)),
              }))}
            />
          ))}
          <ReversibleTable
            title="Changes that can be undone"
            columns={['What', 'When']}
            button="Undo"
            none="None in the last 30 days."
            rows={shown.changes
              .filter(({ undo }) => undo !== null)
              .map((change) => ({
                id: change._id,
                what: wordsOf(change),
                at: change.at,
                by: change.by.slug,
                label: `Undo the change of ${change.at}`,
                reverse: () => void putBack(() => undoChange(change._id)),
              }))}
          />
        </>
      )}
    </section>
  )
}

async function readAll(): Promise<Shown> {
  const [changes, kinds] = await Promise.all([ask<readonly BulkChange[]>('GET', '/bulk-changes'), askKinds()])
  const removed = await Promise.all(
    kinds.map(async (kind) => {
      const { data } = await ask<readonly Removed[]>('GET', `/${kind.collection}/removed`, { search: { limit: '200' } })
      return [kind, data] as const
    }),
  )
  return { changes: changes.data, removed: removed.filter(([, records]) => records.length > 0) }
}

function wordsOf({ collection, count, action, refused = 0 }: BulkChange): string {
  const left = refused === 0 ? '' : `, ${refused.toLocaleString()} refused`
  return `${collection}: ${numbered(count, 'record')} ${action === 'remove' ? 'deleted' : 'changed'}${left}`
}

interface Reversible {
  readonly id: string
  readonly what: string
  readonly at: string | null
  readonly by: string | undefined
  /** What the button says to those who do not see what stands before it. */
  readonly label: string
  readonly reverse: () => void
}

interface ReversibleTableProps {
  readonly title: string
  readonly columns: readonly [what: string, at: string]
  readonly button: string
  readonly none: string
  readonly rows: readonly Reversible[]
}

function ReversibleTable({ title, columns: [what, at], button, none, rows }: ReversibleTableProps) {
  return (
    <>
      <h2>{title}</h2>
      {rows.length === 0 ? (
        <Empty>{none}</Empty>
      ) : (
        <Wide label={title}>
          <table>
            <thead>
              <tr>
                <th scope="col">{what}</th>
                <th scope="col">{at}</th>
                <th scope="col" class="minor">
                  By
                </th>
                <th scope="col">What to do</th>
              </tr>
            </thead>
            <tbody>
              {rows.map((row) => (
                <tr key={row.id}>
                  <th scope="row">{row.what}</th>
                  <td>
                    <Instant at={row.at} />
                  </td>
                  <td class="minor">{row.by}</td>
                  <td class="actions">
                    <button type="button" aria-label={row.label} onClick={row.reverse}>
                      {button}
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
