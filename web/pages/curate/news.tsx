import { useEffect, useRef, useState } from 'preact/hooks'
import { ask } from '../../api/client.ts'
import { announce } from '../../app/announce.ts'
import { changing } from '../../app/bulk-tasks.ts'
import { changes, HEARD_MS, listenForChanges } from '../../app/change-stream.ts'
import { writes } from '../../app/undo.ts'

interface NewsProps {
  readonly collection: string
  /** The filter of the list, as text. */
  readonly query: string
  /** How many the list has found. */
  readonly count: number
  /** Another one with every answer that is shown. */
  readonly answer: unknown
  readonly onShow: () => void
}

/** Says above an open list that it is not what there is any more, whoever has changed it. */
export function News({ collection, query, count, answer, onShow }: NewsProps) {
  const seen = changes.value[collection] ?? 0
  const [known, setKnown] = useState({ answer, seen })
  const [found, setFound] = useState<number | null>(null)
  const wrote = useRef(0)
  useEffect(listenForChanges, [])
  useEffect(() => {
    if (writes.value > 0) wrote.current = Date.now()
  }, [writes.value])
  // What is changed here is asked for anew when that has ended.
  const isOwn = changing.value.has(collection)
  if (known.answer !== answer || (isOwn && known.seen !== seen)) {
    setKnown({ answer, seen })
    setFound(null)
  }
  const isNews = known.answer === answer && seen > known.seen
  useEffect(() => {
    if (!isNews) return
    // What is heard at once behind a write of this tab is most often that: nobody is told of their own deed, and the list has it anyway.
    if (Date.now() - wrote.current < HEARD_MS) return onShow()
    const end = new AbortController()
    const search = query === '' ? {} : { query }
    ask<{ count: number }>('GET', `/${collection}/count`, { search, signal: end.signal }).then(
      ({ data }) => {
        setFound(data.count)
        announce(wordsOf(data.count - count))
      },
      () => null,
    )
    return () => end.abort()
  }, [isNews, seen])
  if (!isNews || found === null) return null
  return (
    <p class="news" role="status">
      <span>{wordsOf(found - count)}</span>{' '}
      <button type="button" onClick={onShow}>
        Show
      </button>
    </p>
  )
}

function wordsOf(more: number): string {
  if (more > 0) return `${more.toLocaleString()} new.`
  return more < 0 ? `${(-more).toLocaleString()} fewer.` : 'Something has changed.'
}
