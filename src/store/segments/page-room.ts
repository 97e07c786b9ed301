import { AppError } from '../../kernel/errors.ts'
import type { Shares } from '../../kernel/shares.ts'
import { STORE_ERRORS } from '../errors.ts'
import { takeBytes } from '../held-bytes.ts'

/** Pages up to this size are made without asking for room: as many as there are at a time. */
const UNASKED_BYTES = 4 * 1024 * 1024
/** Between the two looks at it, a page may grow by so much. */
const GROWTH = 1.1

/** That a page would have more bytes than it might. */
export interface TooLarge {
  readonly tooLarge: number
}

/** Makes a page. For a large one room is taken before it is made, and given back when it is there. */
export async function withRoom<Page extends object>(
  bytes: Shares,
  user: string,
  make: (mostBytes: number) => Promise<Page | TooLarge>,
): Promise<Page> {
  let taken = 0
  try {
    for (;;) {
      const found = await make(Math.max(UNASKED_BYTES, taken))
      if (!('tooLarge' in found)) return found
      const wanted = Math.ceil(GROWTH * found.tooLarge)
      if (wanted > bytes.limits.perUser) throw pageTooLarge(found.tooLarge, bytes.limits.perUser)
      bytes.give(user, taken)
      taken = 0
      takeBytes(bytes, user, wanted)
      taken = wanted
    }
  } finally {
    if (taken > 0) bytes.give(user, taken)
  }
}

function pageTooLarge(bytes: number, limit: number): AppError {
  return new AppError(
    STORE_ERRORS.pageTooLarge,
    `The page would have some ${bytes} bytes; one user may have ${limit} bytes of answers at a time.`,
    {
      path: 'projection.limit',
      limit,
      hint: 'Ask for fewer with limit, for less of each with fields, or for all of them as an export.',
    },
  )
}
