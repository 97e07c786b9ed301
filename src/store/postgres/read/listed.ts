import { createHash } from 'node:crypto'
import { BoundedCache } from '../../../kernel/bounded-cache.ts'
import type { QueryPlan } from '../../../query/plan.ts'
import { EVERY_HOME, type Listed } from '../../number-cipher.ts'
import { homesOf } from './homes.ts'

const REMEMBERED = 10_000
const COLLECTION_BYTES = 3
const HOME_BYTES = 6

const known = new BoundedCache<number>({ most: REMEMBERED })

/** What a plan lists, by numbers that follow from the names: two of one list are the same in every process. */
export function listedBy({ collection, scope }: Pick<QueryPlan, 'collection' | 'scope'>): Listed {
  const homes = homesOf(scope)?.map((home) => numberOf(home, HOME_BYTES)) ?? [EVERY_HOME]
  return { collection: numberOf(collection, COLLECTION_BYTES), homes }
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
