import { type ComponentChildren, createContext } from 'preact'
import { useContext } from 'preact/hooks'
import { useAnswer } from '../../api/use-answer.ts'
import { Link } from '../../app/router.tsx'
import { Formula } from '../../parts/formula.tsx'

interface KnownName {
  readonly _id: string
  readonly name?: string
  readonly formula?: string
}

const Names = createContext<ReadonlyMap<string, KnownName>>(new Map())

/** Collections that lists name records of. */
type NamedCollection = 'materials' | 'jobs'

interface NamesOfRecordsProps {
  readonly materials?: readonly string[]
  readonly jobs?: readonly string[]
  readonly children: ComponentChildren
}

/** Asks once for the names of all records that a list names. */
export function NamesOfRecords({ materials = [], jobs = [], children }: NamesOfRecordsProps) {
  const ofMaterials = useNames('materials', materials)
  const ofJobs = useNames('jobs', jobs)
  return <Names.Provider value={new Map([...ofMaterials, ...ofJobs])}>{children}</Names.Provider>
}

function useNames(collection: NamedCollection, ids: readonly string[]): readonly (readonly [string, KnownName])[] {
  const asked = [...new Set(ids)].sort()
  const { data } = useAnswer<readonly KnownName[]>(asked.length === 0 ? null : `/${collection}`, {
    query: JSON.stringify({ _id: { $in: asked } }),
    projection: JSON.stringify({ fields: collection === 'materials' ? { name: 1, formula: 1 } : { name: 1 } }),
    limit: String(asked.length),
  })
  return (data ?? []).map((one) => [`${collection}/${one._id}`, one])
}

const FEW = 2

/** Links to records by their names, the first few of many; what is not seen has its id. */
export function RecordLinks({
  collection,
  ids,
}: {
  readonly collection: NamedCollection
  readonly ids: readonly string[]
}) {
  const names = useContext(Names)
  return (
    <>
      {ids.slice(0, FEW).map((id, index) => {
        const known = names.get(`${collection}/${id}`)
        const text = known?.formula ?? known?.name ?? id
        return (
          <span key={id}>
            {index > 0 && ', '}
            <Link to={`/${collection}/${encodeURIComponent(id)}`} title={known?.name ?? id}>
              {known?.formula === undefined ? text : <Formula text={text} />}
            </Link>
          </span>
        )
      })}
      {ids.length > FEW && <span class="fine"> and {ids.length - FEW} more</span>}
    </>
  )
}
