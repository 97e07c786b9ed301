import { createHash } from 'node:crypto'
import { BoundedCache } from '../../kernel/bounded-cache.ts'
import type { QueryPlan } from '../../query/plan.ts'
import { EVERY_HOME, type Listed } from '../number-cipher.ts'

const REMEMBERED = 10_000
const COLLECTION_BYTES = 3
const HOME_BYTES = 6
/** No account has a colon in its id. */
const PUBLIC = 'public:0'

const known = new BoundedCache<number>({ most: REMEMBERED })

/** Lists by numbers that follow from names, so that cursors are the same in every process, and in every store that records are moved to. */
export function listedBy({ collection, scope }: Pick<QueryPlan, 'collection' | 'scope'>): Listed {
  const homes = [PUBLIC, ...(scope.kind === 'account' ? [scope.accountId] : [])]
  return {
    collection: numberOf(collection, COLLECTION_BYTES),
    homes: scope.kind === 'operator' ? [EVERY_HOME] : homes.map((home) => numberOf(home, HOME_BYTES)),
  }
}

function numberOf(name: string, bytes: number): number {
  const key = `${bytes} ${name}`
  let number = known.get(key)
  if (number === undefined) {
    number = createHash('sha256').update(name).digest().readUIntBE(0, bytes)
    known.set(key, number)
  }
  return number
}
