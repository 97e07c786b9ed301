import { Refusal } from '../../api/client.ts'
import { reading, useAnswer } from '../../api/use-answer.ts'
import { Empty } from '../../parts/empty.tsx'
import { Instant } from '../../parts/instant.tsx'
import { RefusalBox } from '../../parts/refusal-box.tsx'
import { Skeleton } from '../../parts/skeleton.tsx'
import { Wide } from '../../parts/wide.tsx'
import { differencesOf } from './differences.ts'

/** The record is public, and of another account. */
const OF_ANOTHER = 40310

interface Revision {
  readonly version: number
  readonly action: string
  readonly at: string | null
  readonly by: { readonly slug?: string | null } | null
}

interface History {
  readonly version: number
  readonly revisions: readonly Revision[]
  readonly notKept: number
}

interface HistoryProps {
  readonly collection: string
  readonly id: string
  /** Another one when the record has changed. */
  readonly state: unknown
  /** The versions that are compared; 0 where none is chosen. */
  readonly chosen: { readonly from: number; readonly to: number }
  readonly onChoose: (chosen: Readonly<Partial<Record<'from' | 'to', string>>>) => void
}

/** The versions that are kept, and what changed from one to another. */
export function RecordHistory({ collection, id, state, chosen, onChoose }: HistoryProps) {
  const path = `/${collection}/${encodeURIComponent(id)}`
  const { data, error } = useAnswer<History>(reading(`${path}/history`), state)
  const to = chosen.to || (data?.version ?? 0)
  const older = data?.revisions.find(({ version }) => version < to)?.version
  const from = chosen.from || (older ?? 0)
  if (error !== undefined) {
    return error instanceof Refusal && error.code === OF_ANOTHER ? (
      <Empty>The versions of a public record are seen in the account that it belongs to.</Empty>
    ) : (
      <RefusalBox error={error} />
    )
  }
  if (data === null) return <Skeleton />
  return (
    <>
      <Wide label="Versions">
        <table>
          <thead>
            <tr>
              <th scope="col">Version</th>
              <th scope="col">What</th>
              <th scope="col">When</th>
              <th scope="col">Who</th>
              <th scope="col">Compare</th>
            </tr>
          </thead>
          <tbody>
            {data.revisions.map(({ version, action, at, by }) => (
              <tr key={version}>
                <th scope="row">{version}</th>
                <td>{action}</td>
                <td>
                  <Instant at={at} otherwise="not known" />
                </td>
                <td>{by?.slug ?? ''}</td>
                <td class="compare">
                  <label>
                    <input
                      type="radio"
                      name="from"
                      checked={from === version}
                      onChange={() => onChoose({ from: String(version) })}
                    />{' '}
                    from
                  </label>
                  <label>
                    <input
                      type="radio"
                      name="to"
                      checked={to === version}
                      onChange={() => onChoose({ to: String(version) })}
                    />{' '}
                    to
                  </label>
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </Wide>
      {data.notKept > 0 && <p class="fine">{data.notKept} earlier versions are not kept.</p>}
      {from > 0 && to > 0 && from !== to ? (
        <Differences path={path} from={from} to={to} />
      ) : (
        <p class="fine">
          {data.revisions.length > 1 ? 'Choose two versions to compare.' : 'There is one version; nothing has changed.'}
        </p>
      )}
    </>
  )
}

/** As many places as are drawn. */
const MOST = 300

function Differences({ path, from, to }: { readonly path: string; readonly from: number; readonly to: number }) {
  const before = useAnswer<unknown>(reading(path, { revision: String(from) }))
  const after = useAnswer<unknown>(reading(path, { revision: String(to) }))
  const error = before.error ?? after.error
  if (error !== undefined) return <RefusalBox error={error} />
  if (before.data === null || after.data === null) return <Skeleton lines={3} />
  const differences = differencesOf(before.data, after.data)
  const shown = differences.slice(0, MOST)
  return (
    <>
      <h3>
        From version {from} to {to}
      </h3>
      {differences.length === 0 && <p>They have the same content.</p>}
      {differences.length > 0 && (
        <Wide label="Differences">
          <table class="differences">
            <thead>
              <tr>
                <th scope="col">Field</th>
                <th scope="col">Before</th>
                <th scope="col">After</th>
              </tr>
            </thead>
            <tbody>
              {shown.map((difference) => (
                <tr key={difference.path}>
                  <th scope="row">{difference.path}</th>
                  <td>
                    {difference.before === undefined ? (
                      <span class="fine">nothing</span>
                    ) : (
                      <del>{short(difference.before)}</del>
                    )}
                  </td>
                  <td>
                    {difference.after === undefined ? (
                      <span class="fine">nothing</span>
                    ) : (
                      <ins>{short(difference.after)}</ins>
                    )}
                  </td>
                </tr>
              ))}
            </tbody>
          </table>
        </Wide>
      )}
      {shown.length < differences.length && (
        <p class="fine">
          The first {shown.length} of {differences.length} places.
        </p>
      )}
    </>
  )
}

const LONGEST = 400

function short(value: unknown): string {
  const text = typeof value === 'string' ? value : JSON.stringify(value)
  return text.length > LONGEST ? `${text.slice(0, LONGEST)}…` : text
}
