import { type ComponentChildren, createContext } from 'preact'
import { useContext, useEffect, useState } from 'preact/hooks'
import { recordPath } from '../../src/page/addresses.ts'
import { ask } from '../api/client.ts'
import { Link } from '../app/router.tsx'
import { Formula } from './formula.tsx'

interface KnownName {
  readonly _id: string
  readonly name?: string
  readonly formula?: string
}

/** Ids of records by their collections. */
export type IdsByCollection = Readonly<Record<string, readonly string[]>>

const Names = createContext<ReadonlyMap<string, KnownName>>(new Map())

/** As many as are asked for at once: an address has an end. */
const MOST_ASKED = 200

interface NamesOfRecordsProps {
  readonly ids: IdsByCollection
  readonly children: ComponentChildren
}

/** Asks once for the names of all records that are named below, a question for each collection. */
export function NamesOfRecords({ ids, children }: NamesOfRecordsProps) {
  const [names, setNames] = useState<ReadonlyMap<string, KnownName>>(new Map())
  const asked = Object.entries(ids).flatMap(([collection, some]) => {
    const each = [...new Set(some)].sort().slice(0, MOST_ASKED)
    return each.length === 0 ? [] : [[collection, each] as const]
  })
  const key = JSON.stringify(asked)
  useEffect(() => {
    const end = new AbortController()
    void Promise.all(asked.map(([collection, some]) => askNames(collection, some, end.signal))).then(
      (found) => end.signal.aborted || setNames(new Map(found.flat())),
    )
    return () => end.abort()
  }, [key])
  return <Names.Provider value={names}>{children}</Names.Provider>
}

/** Without their names records are shown by their ids. */
async function askNames(collection: string, ids: readonly string[], signal: AbortSignal) {
  const search = {
    query: JSON.stringify({ _id: { $in: ids } }),
    projection: JSON.stringify({ fields: collection === 'materials' ? { name: 1, formula: 1 } : { name: 1 } }),
    limit: String(ids.length),
  }
  const found = await ask<readonly KnownName[]>('GET', `/${collection}`, { search, signal }).catch(() => null)
  return (found?.data ?? []).map((one) => [`${collection}/${one._id}`, one] as const)
}

const FEW = 2

interface RecordLinksProps {
  readonly collection: string
  readonly ids: readonly string[]
  readonly most?: number
}

/** Links to records by their names, the first few of many; what is not seen has its id. */
export function RecordLinks({ collection, ids, most = FEW }: RecordLinksProps) {
  const names = useContext(Names)
  return (
    <>
      {ids.slice(0, most).map((id, index) => {
        const known = names.get(`${collection}/${id}`)
        const text = known?.formula ?? known?.name ?? id
        return (
          <span key={id}>
            {index > 0 && ', '}
            <Link to={recordPath(collection, id)} title={known?.name ?? id}>
              {known?.formula === undefined ? text : <Formula text={text} />}
            </Link>
          </span>
        )
      })}
      {ids.length > most && <span class="fine"> and {ids.length - most} more</span>}
    </>
  )
}
