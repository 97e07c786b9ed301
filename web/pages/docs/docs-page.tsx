import { useEffect, useMemo, useState } from 'preact/hooks'
import type { PageAddress } from '../../../src/page/addresses.ts'
import { addressOf, fetchPlain } from '../../api/client.ts'
import { Link } from '../../app/router.tsx'
import { Empty } from '../../parts/empty.tsx'
import { RefusalBox } from '../../parts/refusal-box.tsx'
import { Skeleton } from '../../parts/skeleton.tsx'
import { Contents } from './contents.tsx'
import { type Description, type Group, groupsOf, type Kind, kindsOf, matches, operationsOf } from './description.ts'
import './docs.css'
import { guidesLike } from './guides.ts'
import { OperationView } from './operation-view.tsx'
import { namedPlace, showPlace } from './place.ts'

/** Every operation of this server, as it describes itself, and beside it all there is to read. */
export function DocsPage({ address }: { readonly address: PageAddress }) {
  const [description, setDescription] = useState<Description | null>(null)
  const [error, setError] = useState<unknown>(null)
  useEffect(() => {
    fetchPlain('GET', '/openapi.json')
      .then((response) => response.json())
      .then(setDescription, setError)
  }, [])
  if (description !== null) return <Operations description={description} address={address} />
  return (
    <div class="docs">
      <Contents />
      <section>
        <h1>API reference</h1>
        {error === null ? <Skeleton lines={12} /> : <RefusalBox error={error} />}
      </section>
    </div>
  )
}

interface OperationsProps {
  readonly description: Description
  readonly address: PageAddress
}

function Operations({ description, address }: OperationsProps) {
  const operations = useMemo(() => operationsOf(description), [description])
  const kinds = useMemo(() => kindsOf(operations), [operations])
  const [chosen, setChosen] = useState(kinds[0]?.tag ?? '')
  const [search, setSearch] = useState(address.search.get('search') ?? '')
  const [open, setOpen] = useState<ReadonlySet<string>>(new Set())
  const found = useMemo(() => operations.filter((one) => matches(one, search)), [operations, search])
  const groups = groupsOf(found, kinds, chosen)
  const guides = guidesLike(search)
  const count = groups.reduce((sum, group) => sum + group.operations.length, 0)

  function toggle(id: string, isOpen: boolean): void {
    setOpen((before) => {
      const after = new Set(before)
      if (isOpen) after.add(id)
      else after.delete(id)
      return after
    })
  }

  // biome-ignore lint/correctness/useExhaustiveDependencies: another place of the page is named by another address
  useEffect(() => {
    const named = operations.find(({ id }) => id === namedPlace())
    if (named === undefined) return void showPlace()
    if (kinds.some(({ tag }) => tag === named.tag)) setChosen(named.tag)
    setSearch('')
    toggle(named.id, true)
    requestAnimationFrame(showPlace)
  }, [operations, address])

  return (
    <div class="docs">
      <Contents chapters={groups.map(({ title }) => ({ id: anchorOf(title), title }))} />
      <section>
        <h1>API reference</h1>
        <p>
          Every operation of this server, as it describes itself in{' '}
          <a href={addressOf('/openapi.json')}>openapi.json</a>. Samples run with a <Link to="/account">token</Link> in{' '}
          <code>TOKEN</code>; <em>Send</em> uses your session.
        </p>
        <div class="finding">
          <label>
            <span class="unseen">Search operations</span>
            <input
              type="search"
              placeholder="Search: restore, token, errors …"
              value={search}
              onInput={({ currentTarget }) => setSearch(currentTarget.value)}
            />
          </label>
          <span class="fine" role="status">
            {count} {count === 1 ? 'operation' : 'operations'}
          </span>
        </div>
        {guides.length > 0 && (
          <p>
            To read:{' '}
            {guides.map(({ name, title }, at) => (
              <>
                {at > 0 && ', '}
                <Link key={name} to={`/docs/${name}`}>
                  {title}
                </Link>
              </>
            ))}
          </p>
        )}
        {count === 0 && <Empty>No operation has these words.</Empty>}
        {groups.map((group) => (
          <GroupView key={group.title} group={group} kinds={kinds} chosen={chosen} onChoose={setChosen}>
            {group.operations.map((operation) => (
              <OperationView
                key={operation.id}
                operation={operation}
                schemas={description.components.schemas}
                isOpen={open.has(operation.id)}
                onToggle={(isOpen) => toggle(operation.id, isOpen)}
              />
            ))}
          </GroupView>
        ))}
      </section>
    </div>
  )
}

interface GroupProps {
  readonly group: Group
  readonly kinds: readonly Kind[]
  readonly chosen: string
  readonly onChoose: (tag: string) => void
  readonly children: preact.ComponentChildren
}

/** Operations under their heading; those of records are shown for one kind. */
function GroupView({ group: { title, isOfKind }, kinds, chosen, onChoose, children }: GroupProps) {
  return (
    <section>
      <div class="group-head">
        <h2 id={anchorOf(title)}>{title}</h2>
        {isOfKind && (
          <label class="kind">
            of the kind{' '}
            <select value={chosen} onChange={({ currentTarget }) => onChoose(currentTarget.value)}>
              {kinds.map(({ tag, collection }) => (
                <option key={tag} value={tag}>
                  {collection}
                </option>
              ))}
            </select>
          </label>
        )}
      </div>
      {children}
    </section>
  )
}

function anchorOf(title: string): string {
  return title.toLowerCase().replaceAll(' ', '-')
}
