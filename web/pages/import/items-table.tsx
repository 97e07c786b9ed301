import { useState } from 'preact/hooks'
import type { Item } from './import-item.ts'
import { choose } from './import-items.ts'
import { ItemRow } from './item-row.tsx'

/** Rows that are shown at first, and by each press. */
const SHOWN_AT_FIRST = 50
const SHOWN_MORE = 200

/** Files that are, or may be, stored: a row for each. */
export function ItemsTable({ items }: { readonly items: readonly Item[] }) {
  const [most, setMost] = useState(SHOWN_AT_FIRST)
  const choosable = items.filter(({ state }) => state.step === 'ready')
  const hidden = items.length - most
  return (
    <>
      <table class="runs items" aria-label="Structures to import">
        <thead>
          <tr>
            <th scope="col" class="tick">
              {choosable.length === 0 ? (
                <span class="unseen">To be stored</span>
              ) : (
                <input
                  type="checkbox"
                  aria-label="Choose all"
                  checked={choosable.every(({ isChosen }) => isChosen)}
                  onChange={({ currentTarget }) =>
                    choose(
                      choosable.map(({ key }) => key),
                      currentTarget.checked,
                    )
                  }
                />
              )}
            </th>
            <th scope="col">
              <span class="unseen">Crystal</span>
            </th>
            <th scope="col">Name</th>
            <th scope="col">Formula</th>
            <th scope="col">Space group</th>
            <th scope="col" class="number">
              Atoms
            </th>
            <th scope="col">State</th>
          </tr>
        </thead>
        <tbody>
          {items.slice(0, most).map((item) => (
            <ItemRow key={item.key} item={item} />
          ))}
        </tbody>
      </table>
      {hidden > 0 && (
        <p>
          <button type="button" onClick={() => setMost(most + SHOWN_MORE)}>
            Show {Math.min(hidden, SHOWN_MORE)} more of {items.length.toLocaleString('en')}
          </button>
        </p>
      )}
    </>
  )
}
