import { useEffect, useRef } from 'preact/hooks'
import { announce } from '../../app/announce.ts'
import { focusContent } from '../../app/focus.ts'
import { Link } from '../../app/router.tsx'
import { RefusalBox } from '../../parts/refusal-box.tsx'
import { FailuresPart } from './failures-part.tsx'
import { type Item, materialIds } from './import-item.ts'
import { dropItems, notInSet } from './import-items.ts'
import { ImportTerms } from './import-terms.tsx'
import { countItems, type ItemCounts, summaryWords } from './item-words.ts'
import { ItemsTable } from './items-table.tsx'

/** Files of structures: first how many stand where, then how they are to be stored, then each of them. */
export function StructuresSection({ items }: { readonly items: readonly Item[] }) {
  const counts = countItems(items)
  const words = summaryWords(counts)
  const busy = counts.reading + counts.storing
  const wasBusy = useRef(false)
  useEffect(() => {
    if (wasBusy.current && busy === 0) announce(words)
    wasBusy.current = busy > 0
  }, [busy, words])
  const good = items.filter(({ state }) => state.step !== 'failed')
  return (
    <section class="structures" aria-labelledby="structures" aria-busy={busy > 0}>
      <header>
        <h2 id="structures">Structures</h2>
        <button type="button" class="plain" onClick={() => dropAll(items)}>
          Take all off the list
        </button>
      </header>
      <p class="batch-counts">{words}</p>
      {busy > 0 && (
        <progress
          class="import-progress"
          max={items.length}
          value={items.length - busy}
          aria-label="Files that are done"
        />
      )}
      <StoredLink items={items} />
      {notInSet.value !== null && <NotInSet error={notInSet.value.error} again={notInSet.value.again} />}
      {needsTerms(counts) && <ImportTerms items={items} counts={counts} />}
      {counts.failed > 0 && <FailuresPart items={items} />}
      {good.length > 0 && <ItemsTable items={good} />}
    </section>
  )
}

/** While files are read, what is said of them all can be said already. */
function needsTerms({ ready, left, reading }: ItemCounts): boolean {
  return ready + left + reading > 0
}

/** The focus was on what goes: it stays on the page. */
function dropAll(items: readonly Item[]): void {
  dropItems(items.map(({ key }) => key))
  focusContent()
}

/** More ids would not fit into an address. */
const MOST_IDS = 60

function StoredLink({ items }: { readonly items: readonly Item[] }) {
  const ids = [...new Set(items.flatMap(materialIds))]
  if (ids.length < 2) return null
  const query = encodeURIComponent(JSON.stringify({ _id: { $in: ids } }))
  return (
    <p>
      {ids.length > MOST_IDS ? (
        <Link to="/materials">Go to the materials</Link>
      ) : (
        <Link to={`/materials?query=${query}`}>Show the {ids.length} materials</Link>
      )}
    </p>
  )
}

function NotInSet({ error, again }: { readonly error: unknown; readonly again: () => Promise<void> }) {
  return (
    <>
      <p>What was stored is not in the set:</p>
      <RefusalBox error={error} />
      <button type="button" onClick={() => void again()}>
        Try again
      </button>
    </>
  )
}
