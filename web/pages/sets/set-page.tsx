import { useEffect, useState } from 'preact/hooks'
import type { PageAddress } from '../../../src/page/addresses.ts'
import { ask } from '../../api/client.ts'
import { focusContent } from '../../app/focus.ts'
import { Link } from '../../app/router.tsx'
import { writes } from '../../app/undo.ts'
import { Empty } from '../../parts/empty.tsx'
import { RefusalBox } from '../../parts/refusal-box.tsx'
import { Skeleton } from '../../parts/skeleton.tsx'
import { makeChange, numbered, tellMade } from '../curate/bulk.ts'
import { ChoiceBox, ChoiceOfAll } from '../curate/choice-box.tsx'
import { RecordActions } from '../curate/record-actions.tsx'
import './sets.css'

interface Member {
  readonly _id: string
  readonly name: string
  readonly formula?: string
  readonly isEntitySet?: boolean
}

interface Shown {
  readonly set: Readonly<Record<string, unknown>>
  readonly members: readonly Member[]
  readonly count: number
}

/** Members that are shown at once. */
const SHOWN = 500

/** One set with what is in it. */
export function SetPage({ address }: { readonly address: PageAddress }) {
  const { id = '' } = address.at
  const [shown, setShown] = useState<Shown | null>(null)
  const [error, setError] = useState<unknown>(null)
  const [round, setRound] = useState(0)
  const [chosen, choose] = useState<ReadonlySet<string>>(new Set())
  useEffect(() => {
    readSet(id).then(setShown, setError)
  }, [id, writes.value, round])
  // The button that was pressed goes with what it was for.
  useEffect(focusContent, [shown])

  async function takeOut(): Promise<void> {
    const ids = [...chosen]
    try {
      const outcome = await makeChange('materials', { ids }, { $pull: { inSet: { _id: id } } }, ids.length)
      tellMade(outcome, 'material', 'taken out')
      choose(new Set())
    } catch (refusal) {
      setError(refusal)
    }
  }

  return (
    <section>
      <p>
        <Link to="/sets">← Sets</Link>
      </p>
      {error !== null && <RefusalBox error={error} />}
      {shown === null ? (
        error === null && <Skeleton />
      ) : (
        <>
          <h1>{String(shown.set['name'])}</h1>
          <RecordActions collection="materials" one="set" record={shown.set} onChanged={() => setRound(round + 1)} />
          <Members shown={shown} chosen={chosen} onChoose={choose} onTakeOut={() => void takeOut()} />
        </>
      )}
    </section>
  )
}

async function readSet(id: string): Promise<Shown> {
  const query = JSON.stringify({ 'inSet._id': id })
  // Members of an unordered set have no index, and stay in the order of their arrival.
  const sort = { 'inSet.index': 1 }
  const projection = JSON.stringify({ limit: SHOWN, sort, fields: { name: 1, formula: 1, isEntitySet: 1 } })
  const [set, members] = await Promise.all([
    ask<Shown['set']>('GET', `/materials/${encodeURIComponent(id)}`),
    ask<readonly Member[]>('GET', '/materials', { search: { query, projection, count: 'true' } }),
  ])
  return { set: set.data, members: members.data, count: members.count ?? members.data.length }
}

interface MembersProps {
  readonly shown: Shown
  readonly chosen: ReadonlySet<string>
  readonly onChoose: (chosen: ReadonlySet<string>) => void
  readonly onTakeOut: () => void
}

function Members({ shown: { members, count }, chosen, onChoose, onTakeOut }: MembersProps) {
  if (count === 0) return <Empty>Nothing is in it yet. Choose materials in their list, and move them here.</Empty>
  const ids = members.map(({ _id }) => _id)
  return (
    <>
      <div class="members-head">
        <ChoiceOfAll ids={ids} chosen={chosen} onChoose={onChoose} />
        <h2 class="summary">{numbered(count, 'member')}</h2>
        <button type="button" disabled={chosen.size === 0} onClick={onTakeOut}>
          Take out {chosen.size > 0 && chosen.size}
        </button>
      </div>
      <ul class="sets">
        {members.map(({ _id, name, formula, isEntitySet }) => (
          <li key={_id}>
            <ChoiceBox id={_id} name={name} chosen={chosen} onChoose={onChoose} />
            <Link to={`/${isEntitySet === true ? 'sets' : 'materials'}/${encodeURIComponent(_id)}`}>{name}</Link>
            <small>{isEntitySet === true ? 'set' : formula}</small>
          </li>
        ))}
      </ul>
    </>
  )
}
