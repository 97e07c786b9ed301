import type { ComponentType } from 'preact'
import { useEffect, useMemo, useState } from 'preact/hooks'
import { type PageAddress, recordPath } from '../../../src/page/addresses.ts'
import { reading, useAnswer } from '../../api/use-answer.ts'
import { type Command, usePageCommands } from '../../app/page-commands.ts'
import { noteRecent } from '../../app/recent.ts'
import { backTo, Link, navigate } from '../../app/router.tsx'
import { writes } from '../../app/undo.ts'
import { CopyButton } from '../../parts/copyable.tsx'
import { JsonTree } from '../../parts/json-tree.tsx'
import { NamesOfRecords } from '../../parts/names-of-records.tsx'
import { RefusalBox } from '../../parts/refusal-box.tsx'
import { Skeleton } from '../../parts/skeleton.tsx'
import { ProvenancePart } from '../../provenance/provenance-part.tsx'
import { useKind } from '../../schema/ask-kinds.ts'
import { type Kind, manyOf, oneOf } from '../../schema/kind.ts'
import { shownFields } from '../../schema/shown-fields.ts'
import { isMine } from '../curate/ownership.ts'
import { RecordActions } from '../curate/record-actions.tsx'
import { RecordFiles } from '../curate/record-files.tsx'
import { RecordHistory } from '../curate/record-history.tsx'
import { NotFoundPage } from '../not-found/not-found-page.tsx'
import { CommonFacts } from './common-facts.tsx'
import { byCollection, RecordFields } from './record-fields.tsx'
import '../material/material.css'

type Fields = Readonly<Record<string, unknown>>

/** What the page of a kind shows in its own way, above the fields that are left. */
interface OwnPart {
  readonly view: ComponentType<{ readonly record: Fields; readonly id: string }>
  /** Fields that it tells of. */
  readonly told: ReadonlySet<string>
  /** What a record is called where that is not its name. */
  readonly titleOf?: (record: Fields) => string
}

const OWN_PARTS: Readonly<Record<string, () => Promise<OwnPart>>> = {
  jobs: async () => (await import('../job/job-part.tsx')).JOB_PART,
  properties: async () => (await import('../property/property-part.tsx')).PROPERTY_PART,
}

/** A record of any kind: its fields, what it names, its files, where it comes from, its versions. */
export function RecordPage({ address }: { readonly address: PageAddress }) {
  const { collection = '', id = '' } = address.at
  const kind = useKind(collection)
  if (kind === null) return <Skeleton />
  if (kind === undefined) return <NotFoundPage />
  if (kind instanceof Error) return <RefusalBox error={kind} />
  return <Loaded kind={kind} id={id} />
}

function Loaded({ kind, id }: { readonly kind: Kind; readonly id: string }) {
  const { collection } = kind
  const [round, setRound] = useState(0)
  const path = `/${collection}/${encodeURIComponent(id)}`
  const { data, error } = useAnswer<Fields>(reading(path), `${round} ${writes.value}`)
  const own = useOwnPart(collection)
  const list = `/${collection}`
  return (
    <div class="material">
      <p class="back">
        <Link to={list} onFollow={backTo(list)}>
          ← {manyOf(kind)}
        </Link>
      </p>
      {error !== undefined && (
        <>
          <h1>There is no such {oneOf(kind)} for you</h1>
          <RefusalBox error={error} />
        </>
      )}
      {error === undefined && (data === null || own === null) && <Skeleton />}
      {data !== null && own !== null && (
        <Present kind={kind} own={own} record={data} id={id} onChanged={() => setRound(round + 1)} />
      )}
    </div>
  )
}

const NO_PART: OwnPart = { view: () => null, told: new Set() }

/** What a kind has of its own, whose file comes when it is shown; without it the fields are shown all the same. */
function useOwnPart(collection: string): OwnPart | null {
  const load = Object.hasOwn(OWN_PARTS, collection) ? OWN_PARTS[collection] : undefined
  const [part, setPart] = useState<OwnPart | null>(load === undefined ? NO_PART : null)
  useEffect(() => {
    load?.().then(setPart, () => setPart(NO_PART))
  }, [load])
  return part
}

function commandsOf(path: string, one: string): readonly Command[] {
  return [{ title: `Edit this ${one}`, group: 'This page', key: 'e', run: () => navigate(`${path}/edit`) }]
}

interface PresentProps {
  readonly kind: Kind
  readonly own: OwnPart
  readonly record: Fields
  readonly id: string
  readonly onChanged: () => void
}

function Present({ kind, own, record, id, onChanged }: PresentProps) {
  const { collection } = kind
  const one = oneOf(kind)
  const named = own.titleOf?.(record) ?? record['name']
  const name = typeof named === 'string' && named !== '' ? named : `Unnamed ${one}`
  const fields = useMemo(() => shownFields(kind, record, own.told), [kind, record, own])
  const names = byCollection(fields.flatMap(({ content }) => (content.kind === 'links' ? content.to : [])))
  const path = recordPath(collection, id)
  useEffect(() => {
    document.title = `${name} · Quarry`
    noteRecent(path, name)
  }, [name, path])
  usePageCommands(useMemo(() => commandsOf(path, one), [path, one]))
  return (
    <>
      <header class="material-head">
        <h1>{name}</h1>
        <span class="identifier">
          <code>{id}</code> <CopyButton label="the identifier" text={id} />
        </span>
      </header>
      <RecordActions collection={collection} one={one} record={record} onChanged={onChanged} />
      <NamesOfRecords ids={Object.fromEntries(names)}>
        <own.view record={record} id={id} />
        <RecordFields fields={fields} one={one} />
      </NamesOfRecords>
      <CommonFacts collection={collection} record={record} />
      <h2>Files</h2>
      <RecordFiles collection={collection} id={id} isMine={isMine(record)} />
      <h2>Provenance</h2>
      <ProvenancePart collection={collection} id={id} />
      <History collection={collection} id={id} record={record} />
      <h2>JSON</h2>
      <JsonTree label={`JSON of this ${one}`} value={record} />
    </>
  )
}

/** The versions, which are asked for when somebody wants to see them. */
function History({
  collection,
  id,
  record,
}: {
  readonly collection: string
  readonly id: string
  readonly record: Fields
}) {
  const [isOpen, setOpen] = useState(false)
  const [chosen, choose] = useState({ from: 0, to: 0 })
  return (
    <>
      <h2>History</h2>
      <details open={isOpen} onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
        <summary>Versions</summary>
        {isOpen && (
          <RecordHistory
            collection={collection}
            id={id}
            state={record['updatedAt']}
            chosen={chosen}
            onChoose={({ from = chosen.from, to = chosen.to }) => choose({ from: Number(from), to: Number(to) })}
          />
        )}
      </details>
    </>
  )
}
