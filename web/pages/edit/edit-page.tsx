import { useEffect, useState } from 'preact/hooks'
import { type PageAddress, recordPath } from '../../../src/page/addresses.ts'
import { type Answer, ask, Refusal } from '../../api/client.ts'
import { announce } from '../../app/announce.ts'
import { Link, navigate } from '../../app/router.tsx'
import { noteWrite } from '../../app/undo.ts'
import { PageTitle } from '../../parts/page-title.tsx'
import { RefusalBox } from '../../parts/refusal-box.tsx'
import { Skeleton } from '../../parts/skeleton.tsx'
import { useKind } from '../../schema/ask-kinds.ts'
import type { Kind } from '../../schema/kind.ts'
import { NotFoundPage } from '../not-found/not-found-page.tsx'
import { ConflictBox } from './conflict-box.tsx'
import { EditForm } from './edit-form.tsx'
import { conflictsOf, type Fields, merged, updateOf } from './merge.ts'
import './edit.css'

/** A record with the version that it was read at. */
interface Version {
  readonly record: Fields
  readonly tag: string
}

/** The fields of a record, to be changed. */
export function EditPage({ address }: { readonly address: PageAddress }) {
  const { collection = '', id = '' } = address.at
  const kind = useKind(collection)
  if (kind === undefined) return <NotFoundPage />
  if (kind instanceof Error) return <RefusalBox error={kind} />
  return <EditRecord kind={kind} path={recordPath(collection, id)} id={id} />
}

interface EditRecordProps {
  /** Null until it is known. */
  readonly kind: Kind | null
  readonly path: string
  readonly id: string
}

function EditRecord({ kind, path, id }: EditRecordProps) {
  const [base, setBase] = useState<Version | null>(null)
  const [error, setError] = useState<unknown>(null)
  useEffect(() => {
    read(path).then(setBase, setError)
  }, [path])
  return (
    <section class="edit">
      <p>
        <Link to={path}>← {base === null ? 'Back' : String(base.record['name'] ?? id)}</Link>
      </p>
      <PageTitle help="edit">Edit</PageTitle>
      {error !== null && <RefusalBox error={error} />}
      {base === null || kind === null ? (
        error === null && <Skeleton />
      ) : (
        <Editing kind={kind} path={path} first={base} />
      )}
    </section>
  )
}

async function read(path: string): Promise<Version> {
  return versionOf(await ask<Fields>('GET', path))
}

function versionOf({ data, headers }: Answer<Fields>): Version {
  return { record: data, tag: headers.get('etag') ?? '' }
}

function Editing({ kind, path, first }: { readonly kind: Kind; readonly path: string; readonly first: Version }) {
  /** What the form began with, and what somebody else has made of it meanwhile. */
  const [base, setBase] = useState(first)
  const [theirs, setTheirs] = useState<Version | null>(null)
  const [mine, setMine] = useState<Fields | null>(null)
  const [error, setError] = useState<Refusal | null>(null)
  const [isBusy, setBusy] = useState(false)
  /** Another form, where what is in it has been chosen anew. */
  const [round, setRound] = useState(0)

  async function save(next: Fields, onto: Version): Promise<void> {
    const update = updateOf(onto.record, next)
    if (update === null) return navigate(path)
    setBusy(true)
    setError(null)
    setMine(next)
    try {
      await ask('PATCH', path, { body: bodyOf(update), headers: { 'if-match': onto.tag } })
      noteWrite()
      announce('Saved.')
      navigate(path)
    } catch (refusal) {
      setBusy(false)
      if (!(refusal instanceof Refusal)) throw refusal
      if (refusal.status !== 412) return setError(refusal)
      setTheirs(await read(path))
      announce('Somebody else has changed it meanwhile.')
    }
  }

  function choose(keepsMine: (field: string) => boolean): void {
    if (theirs === null || mine === null) return
    const next = merged(base.record, mine, theirs.record, keepsMine)
    setBase(theirs)
    setTheirs(null)
    setMine(next)
    setRound(round + 1)
    void save(next, theirs)
  }

  return (
    <>
      {theirs !== null && mine !== null && (
        <ConflictBox conflicts={conflictsOf(base.record, mine, theirs.record)} onChoose={choose} />
      )}
      <EditForm
        key={round}
        kind={kind}
        record={mine ?? base.record}
        error={error}
        isBusy={isBusy}
        back={path}
        onSave={(next) => void save(next, base)}
      />
    </>
  )
}

/** An operator without fields says nothing. */
function bodyOf(update: object): object {
  return Object.fromEntries(Object.entries(update).filter(([, fields]) => Object.keys(fields).length > 0))
}
