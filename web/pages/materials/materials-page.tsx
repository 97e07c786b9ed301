import { useEffect, useRef, useState } from 'preact/hooks'
import type { PageAddress } from '../../../src/page/addresses.ts'
import { type Answer, ask } from '../../api/client.ts'
import { announce } from '../../app/announce.ts'
import { Link, navigate } from '../../app/router.tsx'
import { chosenAccount } from '../../app/session.ts'
import { writes } from '../../app/undo.ts'
import { Field } from '../../parts/field.tsx'
import { RefusalBox, Warnings } from '../../parts/refusal-box.tsx'
import { Skeleton } from '../../parts/skeleton.tsx'
import { BulkActions } from '../curate/bulk-actions.tsx'
import { News } from '../curate/news.tsx'
import { type Asked, listPath, readAsked } from './asked.ts'
import { type Collection, collectionAt } from './collections.ts'
import { RecordsTable } from './records-table.tsx'

type Records = readonly Record<string, unknown>[]
type Shown =
  | { readonly asked: Asked; readonly answer: Answer<Records> }
  | { readonly asked: Asked; readonly error: unknown }

/** The records of one kind: a query, and the table of what it finds. What is asked is in the address, so that it can be kept and sent. */
export function MaterialsPage({ address }: { readonly address: PageAddress }) {
  const collection = collectionAt(address.page)
  const asked = readAsked(address.search)
  const [round, setRound] = useState(0)
  const shown = useRecords(collection, asked, round)
  return (
    <section>
      <h1>{collection.title}</h1>
      <QueryForm key={JSON.stringify(asked)} collection={collection} asked={asked} />
      {shown === null ? (
        <Skeleton />
      ) : (
        <Results
          collection={collection}
          shown={shown}
          isBusy={!isSame(shown.asked, asked)}
          onAgain={() => setRound(round + 1)}
        />
      )}
    </section>
  )
}

/** What the server answers; the answer to the question before stays until the next one is there. */
function useRecords(collection: Collection, asked: Asked, round: number): Shown | null {
  const [shown, setShown] = useState<Shown | null>(null)
  const account = chosenAccount.value
  useEffect(() => {
    const end = new AbortController()
    const search = searchOf(collection, asked)
    ask<Records>('GET', `/${collection.name}`, { search, signal: end.signal }).then(
      (answer) => setShown({ asked, answer }),
      (error) => end.signal.aborted || setShown({ asked, error }),
    )
    return () => end.abort()
  }, [collection, JSON.stringify(asked), account, round, writes.value])
  return shown
}

/** The query goes as it was typed: what is wrong with it the server says best. */
function searchOf({ columns }: Collection, { query, sort, limit, skip }: Asked): Record<string, string> {
  const projection = JSON.stringify({ fields: Object.fromEntries(columns.map(({ path }) => [path, 1])) })
  const given = { query, projection, sort, limit, skip, count: 'true' }
  return Object.fromEntries(Object.entries(given).filter(([, value]) => value !== ''))
}

function isSame(one: Asked, other: Asked): boolean {
  return JSON.stringify(one) === JSON.stringify(other)
}

interface ResultsProps {
  readonly collection: Collection
  readonly shown: Shown
  readonly isBusy: boolean
  readonly onAgain: () => void
}

function Results({ collection, shown, isBusy, onAgain }: ResultsProps) {
  const heading = useRef<HTMLHeadingElement>(null)
  const [chosen, choose] = useState<ReadonlySet<string>>(new Set())
  useEffect(() => choose(new Set()), [collection, JSON.stringify(shown.asked)])
  const isFirst = useRef(true)
  useEffect(() => {
    // Who asked again reads on where the results begin.
    if (!isFirst.current) heading.current?.focus()
    isFirst.current = false
    if ('answer' in shown) announce(summaryOf(collection, shown.asked, shown.answer))
  }, [shown, collection])
  if ('error' in shown) return <RefusalBox error={shown.error} query={shown.asked.query} />
  const { asked, answer } = shown
  return (
    <div class="results" aria-busy={isBusy}>
      <Warnings warnings={answer.warnings} query={asked.query} />
      <h2 class="summary" ref={heading} tabIndex={-1}>
        {summaryOf(collection, asked, answer)}
      </h2>
      <News
        collection={collection.name}
        query={asked.query}
        count={answer.count ?? 0}
        answer={answer}
        onShow={onAgain}
      />
      {chosen.size > 0 && (
        <div class="bulk-bar" role="region" aria-label="Selection">
          <strong>{chosen.size.toLocaleString()} chosen</strong>
          <BulkActions
            collection={collection.name}
            one={collection.one}
            ids={chosen}
            query={asked.query}
            count={answer.count ?? 0}
            onDone={() => choose(new Set())}
          />
        </div>
      )}
      {answer.data.length > 0 && (
        <RecordsTable collection={collection} asked={asked} records={answer.data} chosen={chosen} onChoose={choose} />
      )}
      <Turning collection={collection} asked={asked} answer={answer} />
    </div>
  )
}

function Turning({ collection, asked, answer }: { collection: Collection; asked: Asked; answer: Answer<Records> }) {
  const first = Number(asked.skip || 0)
  const limit = Number(asked.limit)
  const after = first + answer.data.length
  const hasMore = answer.count === undefined ? answer.data.length === limit : after < answer.count
  const to = (skip: number) => listPath(collection.name, { ...asked, skip: skip === 0 ? '' : String(skip) })
  return (
    <nav class="row" aria-label="Pages of results">
      {first > 0 && <Link to={to(Math.max(0, first - limit))}>← Previous</Link>}
      {hasMore && <Link to={to(first + limit)}>Next →</Link>}
    </nav>
  )
}

function summaryOf({ title, one }: Collection, { skip }: Asked, { data, count }: Answer<Records>): string {
  const first = Number(skip || 0)
  const of = count === undefined ? '' : ` of ${count.toLocaleString()}`
  if (data.length > 0)
    return `${title} ${(first + 1).toLocaleString()} to ${(first + data.length).toLocaleString()}${of}.`
  return first > 0
    ? `There is nothing on this page${of === '' ? '' : `: the end is at ${count}`}.`
    : `No ${one} matches that is yours or public.`
}

function QueryForm({ collection, asked }: { readonly collection: Collection; readonly asked: Asked }) {
  const form = useRef<HTMLFormElement>(null)
  function search(changed: Partial<Asked> = {}): void {
    const typed = new FormData(form.current ?? undefined)
    const text = (name: string) => String(typed.get(name) ?? '').trim()
    const next = { query: text('query'), sort: text('sort'), limit: text('limit'), skip: '', ...changed }
    navigate(listPath(collection.name, next))
  }
  return (
    <form
      class="query"
      role="search"
      aria-label={collection.title}
      noValidate
      ref={form}
      onSubmit={(event) => {
        event.preventDefault()
        search()
      }}
    >
      <Field label="Query" hint="MongoDB query as JSON, on any field. Ctrl+Enter searches; empty finds everything.">
        <textarea
          name="query"
          rows={3}
          spellcheck={false}
          autocapitalize="none"
          placeholder="{}"
          defaultValue={asked.query}
          onKeyDown={({ key, ctrlKey, metaKey }) => key === 'Enter' && (ctrlKey || metaKey) && search()}
        />
      </Field>
      <div class="examples">
        For instance{' '}
        {collection.examples.map((query) => (
          <button key={query} type="button" class="example" onClick={() => search({ query })}>
            {query}
          </button>
        ))}
      </div>
      <div class="row">
        <Field label="Sort by" hint="A field, with - before it for descending.">
          <input
            name="sort"
            spellcheck={false}
            autocapitalize="none"
            placeholder="-createdAt"
            defaultValue={asked.sort}
          />
        </Field>
        <Field label="Records a page" hint="From 1 to 500.">
          <input name="limit" type="number" min={1} max={500} inputMode="numeric" defaultValue={asked.limit} />
        </Field>
        <button type="submit">Search</button>
      </div>
    </form>
  )
}
