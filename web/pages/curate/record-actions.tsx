import { useState } from 'preact/hooks'
import { ask } from '../../api/client.ts'
import { Link, navigate } from '../../app/router.tsx'
import { noteWrite, offerUndo } from '../../app/undo.ts'
import { late } from '../../parts/late.tsx'
import { RefusalBox } from '../../parts/refusal-box.tsx'
import type { Deed } from './deeds.tsx'
import { isMine } from './ownership.ts'
import './curate.css'

const BulkDialog = late(async () => (await import('./bulk-dialog.tsx')).BulkDialog)

interface RecordActionsProps {
  readonly collection: string
  readonly one: string
  readonly record: Readonly<Record<string, unknown>>
  /** Something of the record is another by now. */
  readonly onChanged: () => void
}

/** What can be done to one record: by its account all, by others a copy. */
export function RecordActions({ collection, one, record, onChanged }: RecordActionsProps) {
  const [deed, setDeed] = useState<Deed | null>(null)
  const [error, setError] = useState<unknown>(null)
  const id = String(record['_id'])
  const path = `/${collection}/${encodeURIComponent(id)}`
  const name = String(record['name'] ?? one)
  const isSet = record['isEntitySet'] === true
  const isOwn = isMine(record)

  async function copy(): Promise<void> {
    setError(null)
    try {
      const { data } = await ask<{ _id: string }>('POST', `${path}/copy`)
      noteWrite()
      navigate(`/${collection}/${encodeURIComponent(data._id)}`)
    } catch (refusal) {
      setError(refusal)
    }
  }

  async function restore(): Promise<string> {
    await ask('POST', `${path}/restore`)
    return `${name} is restored${isSet ? ', without its members' : ''}.`
  }

  async function remove(): Promise<void> {
    setError(null)
    try {
      await ask('DELETE', path)
      offerUndo(`${name} deleted`, restore)
      navigate(isSet ? '/sets' : `/${collection}`)
    } catch (refusal) {
      setError(refusal)
    }
  }

  return (
    <>
      <div class="record-actions" role="toolbar" aria-label={`What can be done with this ${one}`}>
        {isOwn && (
          <Link class="button" to={`${path}/edit`}>
            Edit
          </Link>
        )}
        <button type="button" class={isOwn ? 'plain' : undefined} onClick={() => void copy()}>
          {isOwn ? 'Make a copy' : 'Copy to my account'}
        </button>
        {isOwn && (
          <>
            <button
              type="button"
              class="plain"
              onClick={() => setDeed(record['isPublic'] === true ? 'withdraw' : 'publish')}
            >
              {record['isPublic'] === true ? 'Make private' : 'Publish'}
            </button>
            <button type="button" class="plain" onClick={() => setDeed('move')}>
              Move to set
            </button>
            <button type="button" class="plain danger" onClick={() => void remove()}>
              Delete
            </button>
          </>
        )}
      </div>
      {error !== null && <RefusalBox error={error} />}
      {deed !== null && (
        <BulkDialog
          collection={collection}
          one={one}
          meant={{ ids: [id] }}
          deed={deed}
          onClose={() => setDeed(null)}
          onDone={() => {
            setDeed(null)
            onChanged()
          }}
        />
      )}
    </>
  )
}
