import { isCanceled } from './faults.ts'

/** Reads once more what was cancelled: that may have been meant for a statement before it on the same connection, which had just ended. */
export async function onceMore<Result>(read: () => PromiseLike<Result>): Promise<Result> {
  try {
    return await read()
  } catch (error) {
    if (!isCanceled(error)) throw error
    return read()
  }
}
