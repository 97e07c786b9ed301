import { BoundedCache } from '../../../kernel/bounded-cache.ts'
import type { CurrentState } from './current-state.ts'

const REMEMBERED = 10_000

/** Remembers the numbers that `read` gives, by name, until anybody has written: to ask again costs one look at the change mark. */
export function untilWritten<Of>(
  state: CurrentState,
  nameOf: (of: Of) => string,
  read: (of: Of) => number,
): (of: Of) => number {
  const known = new BoundedCache<{ readonly mark: number; readonly value: number }>({ most: REMEMBERED })
  return (of) => {
    const { mark } = state
    const name = nameOf(of)
    const found = known.get(name)
    if (found?.mark === mark) return found.value
    state.hold()
    const value = read(of)
    known.set(name, { mark, value })
    return value
  }
}
