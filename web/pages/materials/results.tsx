import { type ComponentChildren, Fragment } from 'preact'
import { useEffect, useRef, useState } from 'preact/hooks'
import type { Answer, Warning } from '../../api/client.ts'
import type { Answered } from '../../api/use-answer.ts'
import { announce } from '../../app/announce.ts'
import { Link } from '../../app/router.tsx'
import { late } from '../../parts/late.tsx'
import { RefusalBox, Warnings } from '../../parts/refusal-box.tsx'
import { Skeleton } from '../../parts/skeleton.tsx'
import { useWide } from '../../parts/use-wide.ts'
import { type Asked, listPath } from './asked.ts'
import type { Collection, Row } from './collections.ts'
import { Order } from './order.tsx'
import { columnsOf, queryText } from './question.ts'
import { idOf, RecordsTable } from './records-table.tsx'
import { useRowKeys } from './use-row-keys.ts'

const News = late(async () => (await import('../curate/news.tsx')).News)
const BulkActions = late(async () => (await import('../curate/bulk-actions.tsx')).BulkActions)
const Preview = late(async () => (await import('./preview.tsx')).Preview)

type Records = readonly Row[]

/** Windows that are narrower have no room beside the table. */
const PREVIEW_WIDTH = '75.01rem'

/** Words are looked for in fields that perhaps no record has, and as ids: what the server says of one of these is no news. */
const OF_A_WORD = /\$or\[\d+\]\.(?:name|formula|tags|description|prototype\.\w+|source\.\w+|_id|data\.name)$/

function isOfAWord({ path }: Warning): boolean {
  return OF_A_WORD.test(path)
}

interface ResultsProps extends Omit<FoundProps, 'answer'> {
  readonly answered: Answered<Records>
}

/** What was found, or why nothing was; lines in its place until it is there. */
export function Results({ answered, ...asked }: ResultsProps) {
  const { answer, error } = answered
  if (error !== undefined) return <RefusalBox error={error} query={queryText(asked.asked)} />
  return answer === null ? <Skeleton lines={12} /> : <Found {...asked} answer={answer} />
}

interface FoundProps {
  readonly collection: Collection
  readonly asked: Asked
  readonly answer: Answer<Records>
  readonly isBusy: boolean
  /** What to say where nothing is found at all. */
  readonly empty: ComponentChildren
  /** Called when the same is to be asked again. */
  readonly onAgain: () => void
}

function Found({ collection, asked, answer, isBusy, empty, onAgain }: FoundProps) {
  const heading = useRef<HTMLHeadingElement>(null)
  const isFirst = useRef(true)
  const records = answer.data
  const [focused, setFocused] = useState<string | null>(null)
  const [pointed, point] = useState<string | null>(null)
  // What was looked at last, as long as it is there; at first the first record.
  const looked = [pointed, focused].find((id) => records.some((record) => idOf(record) === id))
  const shown = looked ?? (records[0] === undefined ? null : idOf(records[0]))
  function focus(id: string): void {
    setFocused(id)
    point(null)
  }
  const isWide = useWide(PREVIEW_WIDTH)
  // A table whose cells say all needs no preview.
  const hasPreview = isWide && !collection.isWhole
  const Around = collection.around ?? Fragment
  const summary = summaryOf(collection, asked, answer)
  const query = queryText(asked)
  const [chosen, choose] = useState<ReadonlySet<string>>(new Set())
  useEffect(() => choose(new Set()), [collection, query])
  useEffect(() => {
    // Who asked again reads on where the results begin, unless the question is still being put together.
    if (!isFirst.current && hasLostFocus()) heading.current?.focus()
    isFirst.current = false
    announce(summary)
  }, [answer])
  useRowKeys({
    move(rows) {
      const at = records.findIndex((record) => idOf(record) === focused)
      const next = records[Math.min(records.length - 1, Math.max(0, at < 0 ? 0 : at + rows))]
      if (next === undefined) return
      focus(idOf(next))
      linkOf(collection, idOf(next))?.focus()
    },
    select() {
      if (focused === null) return
      const next = new Set(chosen)
      if (!next.delete(focused)) next.add(focused)
      choose(next)
    },
  })
  return (
    <div class="results" aria-busy={isBusy}>
      <Warnings warnings={answer.warnings.filter((one) => !isOfAWord(one))} query={query} />
      <div class="results-head">
        <h2 class="summary" ref={heading} tabIndex={-1}>
          {summary}
        </h2>
        <Order collection={collection} asked={asked} />
        <Turning collection={collection} asked={asked} answer={answer} />
      </div>
      <News collection={collection.name} query={query} count={answer.count ?? 0} answer={answer} onShow={onAgain} />
      {chosen.size > 0 && (
        <div class="bulk-bar" role="region" aria-label="Selection">
          <strong>{chosen.size.toLocaleString()} chosen</strong>
          <BulkActions
            collection={collection.name}
            one={collection.one}
            ids={chosen}
            query={query}
            count={answer.count ?? 0}
            onDone={() => choose(new Set())}
          />
        </div>
      )}
      {records.length === 0 && answer.count === 0 && empty}
      {records.length > 0 && (
        <div class={hasPreview ? 'results-body' : undefined}>
          <Around records={records}>
            <RecordsTable
              collection={collection}
              asked={asked}
              columns={columnsOf(collection, asked)}
              records={records}
              chosen={chosen}
              onChoose={choose}
              focused={focused}
              onFocus={focus}
              shown={hasPreview ? shown : null}
              onPoint={point}
            />
          </Around>
          {hasPreview && shown !== null && <Preview collection={collection} id={shown} records={records} />}
        </div>
      )}
    </div>
  )
}

/** Whoever pressed what is gone now is nowhere; whoever turned the page begins with the next one. */
function hasLostFocus(): boolean {
  const { activeElement } = document
  return (
    activeElement === null ||
    activeElement === document.body ||
    activeElement.id === 'main' ||
    activeElement.closest('.results nav') !== null
  )
}

function linkOf({ name }: Collection, id: string): HTMLElement | null {
  return document.querySelector(`table.records a[href$="/${CSS.escape(name)}/${CSS.escape(encodeURIComponent(id))}"]`)
}

/** The cursors that pages began behind, by what was asked: the way back is as short as the way there. */
const cursors = new Map<string, string>()

function Turning({ collection, asked, answer }: Omit<FoundProps, 'isBusy' | 'empty' | 'onAgain'>) {
  const first = Number(asked.skip || 0)
  const limit = Number(asked.limit)
  const next = answer.headers.get('x-next-cursor')
  const keyOf = (skip: number) => listPath(collection.name, { ...asked, skip: String(skip), after: '' })
  cursors.set(keyOf(first), asked.after)
  const to = (skip: number, after: string) =>
    listPath(collection.name, { ...asked, skip: skip === 0 ? '' : String(skip), after: skip === 0 ? '' : after })
  const before = Math.max(0, first - limit)
  if (first === 0 && next === null) return null
  return (
    <nav class="turning" aria-label="Pages of results">
      {first > 0 && <Link to={to(before, cursors.get(keyOf(before)) ?? '')}>← Previous</Link>}
      {next !== null && <Link to={to(first + answer.data.length, next)}>Next →</Link>}
    </nav>
  )
}

/** `Methods` as a sentence goes on with it; `XRD patterns` stays. */
function withinSentence(title: string): string {
  return /^[A-Z][a-z]/.test(title) ? title.charAt(0).toLowerCase() + title.slice(1) : title
}

function summaryOf({ one, title }: Collection, asked: Asked, { data, count }: Answer<Records>): string {
  const first = Number(asked.skip || 0)
  const many = withinSentence(title)
  if (data.length === 0)
    return first > 0
      ? `There is nothing on this page: the end is at ${count}.`
      : queryText(asked) === ''
        ? `There is no ${one} yet that is yours or public.`
        : `No ${one} matches that is yours or public.`
  if (count === undefined || count > data.length) {
    const of = count === undefined ? '' : ` of ${count.toLocaleString()}`
    return `${(first + 1).toLocaleString()} to ${(first + data.length).toLocaleString()}${of} ${many}`
  }
  return `${count.toLocaleString()} ${count === 1 ? one : many}`
}
