import { useEffect, useState } from 'preact/hooks'
import { type PageAddress, pagePath, recordPath } from '../../../src/page/addresses.ts'
import { ask, Refusal } from '../../api/client.ts'
import { announce } from '../../app/announce.ts'
import { Link, navigate } from '../../app/router.tsx'
import { noteWrite } from '../../app/undo.ts'
import { PageTitle } from '../../parts/page-title.tsx'
import { RefusalBox } from '../../parts/refusal-box.tsx'
import { Skeleton } from '../../parts/skeleton.tsx'
import { useKind } from '../../schema/ask-kinds.ts'
import { type Kind, manyOf, oneOf } from '../../schema/kind.ts'
import { NotFoundPage } from '../not-found/not-found-page.tsx'
import { EditForm } from './edit-form.tsx'
import type { Fields } from './merge.ts'
import './edit.css'

/** What most records of a kind have; the rest is theirs. */
const BEGUN: Readonly<Record<string, Fields>> = {
  methods: { type: 'pseudopotential', subtype: 'paw', data: {} },
}

/** A record of any kind that is not there yet; a material comes of a file, or of a text that is pasted, where files are taken. */
export function NewPage({ address }: { readonly address: PageAddress }) {
  const collection = address.at['collection'] ?? ''
  const kind = useKind(collection)
  const comesOfFiles = collection === 'materials'
  useEffect(() => {
    if (comesOfFiles) navigate(pagePath('import'), { replace: true })
  }, [comesOfFiles])
  if (comesOfFiles || kind === null) return <Skeleton />
  if (kind === undefined) return <NotFoundPage />
  if (kind instanceof Error) return <RefusalBox error={kind} />
  return <NewRecord kind={kind} />
}

function NewRecord({ kind }: { readonly kind: Kind }) {
  const { collection } = kind
  const [record, setRecord] = useState<Fields>({ name: '', ...BEGUN[collection] })
  const [error, setError] = useState<Refusal | null>(null)
  const [isBusy, setBusy] = useState(false)
  const title = `New ${oneOf(kind)}`
  useEffect(() => {
    document.title = `${title} · Quarry`
  }, [title])

  async function save(next: Fields): Promise<void> {
    setBusy(true)
    setError(null)
    setRecord(next)
    try {
      // Without a name it gets one of its kind.
      const { name, ...unnamed } = next
      const { data } = await ask<{ _id: string }>('POST', `/${collection}`, { body: name === '' ? unnamed : next })
      noteWrite()
      announce('Saved.')
      navigate(recordPath(collection, data._id))
    } catch (refusal) {
      setBusy(false)
      if (!(refusal instanceof Refusal)) throw refusal
      setError(refusal)
    }
  }

  return (
    <section class="edit">
      <p>
        <Link to={`/${collection}`}>← {manyOf(kind)}</Link>
      </p>
      <PageTitle help="newRecord">{title}</PageTitle>
      <EditForm
        kind={kind}
        record={record}
        error={error}
        isBusy={isBusy}
        back={`/${collection}`}
        onSave={(next) => void save(next)}
      />
    </section>
  )
}
