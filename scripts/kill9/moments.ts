import type { Random } from '../fuzz/random.ts'

/** When a server dies: before which statement of a file of the sources (`dies-within.cjs`). */
export interface Order {
  readonly within: string
  /** The number of the statement among those that the file makes in one thread, from 1. */
  readonly at: number
  /** So many more statements are let through, of whatever: to the commit and behind it. */
  readonly further: number
}

export const MOMENTS = ['any', 'sealing', 'merging'] as const
export type Moment = (typeof MOMENTS)[number]

/** What writes beside the server, in a process that is killed with it. */
export type Beside = 'recompute' | 'reindex'

/** A round as it is chosen before it begins. */
export interface Round {
  readonly moment: Moment
  /** Null where the server is killed from outside, at no moment in particular. */
  readonly order: Order | null
  readonly workers: 1 | 2
  readonly beside: Beside
  /** After so many records that were acknowledged it is quiet, or over when no order is given. */
  readonly aim: number
}

/** Files of the store that do the work, and about how many statements they make in a round. */
export const WORK: Readonly<
  Record<Exclude<Moment, 'any'>, readonly (readonly [within: string, statements: number])[]>
> = {
  sealing: [['seal', 24]],
  merging: [['merge-segments', 12]],
}
const MOST_FURTHER = 12
const MOST_WRITES = 800
/** Several tails become segments, which are merged. */
const WRITES_OF_SEGMENTS = { from: 1200, to: 3000 }

export function chooseRound(random: Random): Round {
  const moment = random.pick(MOMENTS)
  const common = { workers: random.pick([1, 2] as const), beside: random.pick(['recompute', 'reindex'] as const) }
  if (moment === 'any') return { moment, ...common, order: null, aim: 1 + random.integer(MOST_WRITES) }
  const [within, statements] = random.pick(WORK[moment])
  const order = {
    within,
    at: 1 + random.integer(statements),
    further: random.chance(0.5) ? 0 : random.integer(MOST_FURTHER),
  }
  const { from, to } = WRITES_OF_SEGMENTS
  return { moment, ...common, order, aim: from + random.integer(to - from) }
}
