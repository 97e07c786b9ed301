import { newId } from '../../src/kernel/names.ts'
import { type Random, randomOf } from './random.ts'

/** Who owns documents: a user with one personal account. */
export interface Owner {
  readonly accountId: string
  readonly userId: string
  readonly name: string
}

const OTHERS = 200

/** The owners of a data set. The first one is the requester of every request and owns half of the documents. */
export function ownersOf(seed: number, others = OTHERS): readonly [Owner, ...Owner[]] {
  const random = randomOf(seed, -1)
  const owner = (name: string): Owner => ({ accountId: newId(random.bytes), userId: newId(random.bytes), name })
  return [owner('bench'), ...Array.from({ length: others }, (_, index) => owner(`lab-${index}`))]
}

/** Chooses the owner of a document: half of them are the requester's, the others are spread evenly. */
export function chooseOwner(owners: readonly [Owner, ...Owner[]], random: Random): Owner {
  return random.chance(0.5) ? owners[0] : random.pick(owners.slice(1))
}
