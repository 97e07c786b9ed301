import { navigate } from '../../app/router.tsx'
import { type Asked, listPath, NEWEST_FIRST, sortOf } from './asked.ts'
import { type Collection, columnAt } from './collections.ts'

/** Orders that no head of a column has. */
const ORDERS: readonly (readonly [sort: string, words: string])[] = [
  [NEWEST_FIRST, 'Newest first'],
  ['createdAt', 'Oldest first'],
  ['-updatedAt', 'Last changed first'],
]

/** In which order the records come, for whoever does not see it in the heads. */
export function Order({ collection, asked }: { readonly collection: Collection; readonly asked: Asked }) {
  const sort = sortOf(asked)
  const isOther = !ORDERS.some(([one]) => one === sort)
  const path = sort.replace(/^-/, '')
  return (
    <select
      class="order"
      aria-label="Order"
      value={sort}
      onChange={({ currentTarget }) =>
        navigate(listPath(collection.name, { ...asked, sort: currentTarget.value, skip: '', after: '' }))
      }
    >
      {ORDERS.map(([one, words]) => (
        <option key={one} value={one}>
          {words}
        </option>
      ))}
      {isOther && (
        <option value={sort}>
          By {columnAt(collection, path).title}, {sort === path ? 'rising' : 'falling'}
        </option>
      )}
    </select>
  )
}
