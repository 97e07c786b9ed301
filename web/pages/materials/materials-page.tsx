import { useEffect, useState } from 'preact/hooks'
import { type PageAddress, pagePath } from '../../../src/page/addresses.ts'
import { useAnswer } from '../../api/use-answer.ts'
import { navigate } from '../../app/router.tsx'
import { writes } from '../../app/undo.ts'
import { Dialog } from '../../parts/dialog.tsx'
import { PageTitle } from '../../parts/page-title.tsx'
import type { Area } from '../../plots/scatter.tsx'
import type { Condition, ElementMode } from '../../query/conditions.ts'
import { SavedQueries } from '../curate/saved-queries.tsx'
import { type Asked, listPath, sortOf } from './asked.ts'
import { type Collection, MATERIALS, type Row } from './collections.ts'
import { ColumnsMenu } from './columns-menu.tsx'
import { ExportMenu } from './export-menu.tsx'
import { ELEMENTS_PATH, type FacetsFound, Filters, facetsQuestion, ownersWithout, ownSlug } from './facets.tsx'
import './materials.css'
import { late } from '../../parts/late.tsx'
import { keepColumns } from './kept-columns.ts'
import { columnsOf, isOn, queryText, textOf, withCondition } from './question.ts'
import { Results } from './results.tsx'
import { SearchLine } from './search-line.tsx'
import { useAsked } from './use-asked.ts'

const PeriodicTable = late(async () => (await import('./periodic-table.tsx')).PeriodicTable)
const QueryPanel = late(async () => (await import('./query-panel.tsx')).QueryPanel)
const PlotPanel = late(async () => (await import('./plot-panel.tsx')).PlotPanel)

const FirstSteps = late(async () => (await import('./first-steps.tsx')).FirstSteps)
const Chips = late(async () => (await import('./chips.tsx')).Chips)
const EmptyAnswer = late(async () => (await import('./empty-answer.tsx')).EmptyAnswer)

type Opened = 'elements' | 'query' | 'filters' | null

/** The list of materials. */
export function MaterialsPage({ address }: { readonly address: PageAddress }) {
  return <ListPage address={address} collection={MATERIALS} />
}

interface ListPageProps {
  readonly address: PageAddress
  readonly collection: Collection
}

/** The records of one kind, and what there is to find among them. What is asked is in the address, so that it can be kept and sent. */
export function ListPage({ address, collection }: ListPageProps) {
  const { asked, pieces, fault, filters: conditions, query, question } = useAsked(address, collection)
  const [round, setRound] = useState(0)
  const answered = useAnswer<readonly Row[]>(question, round + writes.value)
  const { data: found, isCurrent } = useAnswer<FacetsFound>(facetsQuestion(collection, query), writes.value)
  const [opened, open] = useState<Opened>(null)
  const isAll = pieces.length + conditions.length === 0
  const account = ownSlug()
  // What was counted for the question before says nothing of all records.
  const isCounted = isAll && collection === MATERIALS && isCurrent
  const others = isCounted ? ownersWithout(account, found) : null

  // An address that is sent shows others the same.
  const isKept = asked.columns !== '' && !address.search.has('columns')
  useEffect(() => {
    if (isKept) navigate(listPath(collection.name, asked), { replace: true })
  }, [isKept])

  const go = (changed: Partial<Asked>) => navigate(listPath(collection.name, { ...asked, ...changed }))
  const ask = (text: string, next: readonly Condition[]) =>
    go({ search: text, query: textOf(next), skip: '', after: '' })
  const search = (next: readonly Condition[]) => ask(asked.search, next)
  const filterList = query !== null && (
    <Filters collection={collection} line={asked.line} conditions={conditions} found={found} onChange={search} />
  )
  const shown = { collection, pieces, filters: conditions, onChange: ask }

  function chooseElements(mode: ElementMode, symbols: readonly string[]): void {
    open(null)
    const isSame = (one: Condition) => one.kind === 'elements' && one.mode === mode
    search(withCondition(conditions, isSame, symbols.length === 0 ? null : { kind: 'elements', mode, symbols }))
  }

  function chooseArea({ x, y }: Area): void {
    const [xs, ys] = [rangeOn(asked.x, x), rangeOn(asked.y, y)]
    search(withCondition(withCondition(conditions, isOn(asked.x), xs), isOn(asked.y), ys))
  }

  return (
    <section class="explore">
      <PageTitle help={collection.help}>{collection.title}</PageTitle>
      <div class="explore-top">
        <SearchLine
          collection={collection}
          text={asked.search}
          fault={fault}
          onSearch={(text) => go({ search: text, skip: '', after: '' })}
        />
        <div class="tools">
          <button type="button" class="plain only-narrow" onClick={() => open('filters')}>
            Filters
          </button>
          {collection.hasElements && (
            <button type="button" class="plain" onClick={() => open('elements')}>
              Elements
            </button>
          )}
          {collection.isMadeByHand && (
            <button
              type="button"
              class="plain"
              onClick={() => navigate(pagePath('newRecord', { collection: collection.name }))}
            >
              New
            </button>
          )}
          <button type="button" class="plain" onClick={() => open('query')}>
            Query
          </button>
          {collection.hasElements && asked.x === '' && (
            <button
              type="button"
              class="plain"
              onClick={() => go({ x: 'volume', y: 'density', color: 'spaceGroup.crystalSystem' })}
            >
              Plot
            </button>
          )}
          <ColumnsMenu
            collection={collection}
            columns={columnsOf(collection, asked)}
            onChange={(columns) => {
              keepColumns(collection.name, columns)
              go({ columns })
            }}
          />
          <ExportMenu collection={collection} asked={asked} />
          <SavedQueries
            collection={collection.name}
            view={{
              query: queryText(asked),
              sort: sortOf(asked),
              columns: columnsOf(collection, asked).map(({ path }) => path),
            }}
          />
        </div>
      </div>
      {!isAll && <Chips {...shown} />}
      <div class="explore-body">
        <aside class="explore-filters" aria-label="Filters">
          {filterList}
        </aside>
        <div class="explore-results">
          {others !== null && account !== undefined && (
            <FirstSteps account={account} owners={others} onSearch={(text) => ask(text, [])} />
          )}
          {query !== null && asked.x !== '' && asked.y !== '' && (
            <PlotPanel
              collection={collection}
              asked={asked}
              query={query}
              onAxes={(axes) => go(axes)}
              onChoose={chooseArea}
            />
          )}
          {(fault === null || answered.answer !== null) && (
            <Results
              collection={collection}
              asked={asked}
              answered={answered}
              isBusy={question !== null && !answered.isCurrent}
              empty={answered.isCurrent && <EmptyAnswer {...shown} />}
              onAgain={() => setRound(round + 1)}
            />
          )}
        </div>
      </div>
      {opened === 'elements' && (
        <PeriodicTable
          counts={countsOf(found)}
          conditions={conditions}
          onChoose={chooseElements}
          onClose={() => open(null)}
        />
      )}
      {opened === 'query' && (
        <QueryPanel
          collection={collection}
          asked={asked}
          onQuery={(text) => {
            open(null)
            go({ search: '', query: text, skip: '', after: '' })
          }}
          onClose={() => open(null)}
        />
      )}
      {opened === 'filters' && (
        <Dialog title="Filters" onClose={() => open(null)}>
          <div class="sheet">{filterList}</div>
        </Dialog>
      )}
    </section>
  )
}

function rangeOn(path: string, [min, max]: readonly [number, number]): Condition {
  return { kind: 'range', path, min, max }
}

function countsOf(found: FacetsFound | null): ReadonlyMap<string, number> {
  const { values = [] } = found?.facets.find(({ path }) => path === ELEMENTS_PATH) ?? {}
  return new Map(values.map(({ value, count }) => [String(value), count]))
}
