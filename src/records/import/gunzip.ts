import { createGunzip, type Gunzip } from 'node:zlib'
import { AppError } from '../../kernel/errors.ts'
import { RECORD_ERRORS } from '../errors.ts'

/** Limits of unpacking. Text of records is packed to a tenth, a hundredth at most; deflate reaches a thousandth. */
export interface UnpackingBounds {
  /** Unpacked bytes for each packed byte. */
  readonly ratio: number
  /** Bytes that may come out whatever the ratio. */
  readonly free: number
}

export const UNPACKING_BOUNDS: UnpackingBounds = { ratio: 250, free: 16 * 1024 * 1024 }

/** For what an operator has on disk. */
export const NO_UNPACKING_BOUNDS: UnpackingBounds = { ratio: Number.POSITIVE_INFINITY, free: Number.POSITIVE_INFINITY }

/** Unpacks gzip as it comes. What is packed beyond all measure is refused; what is no gzip or cut off fails with zlib's code. */
export async function* gunzip(
  packed: AsyncIterable<Uint8Array>,
  bounds: UnpackingBounds = UNPACKING_BOUNDS,
): AsyncGenerator<Buffer> {
  const unpacker = createGunzip()
  const meter = { packed: 0, unpacked: 0 }
  const feeding = feed(unpacker, packed, meter)
  try {
    for await (const chunk of unpacker as AsyncIterable<Buffer>) {
      meter.unpacked += chunk.length
      assertProportion(meter.packed, meter.unpacked, bounds)
      yield chunk
    }
    await feeding
  } finally {
    // `feed` stops at the next piece, and gives the source back.
    unpacker.destroy()
  }
}

/** Gives a source to the unpacker as fast as it takes it; a failure of the source becomes the unpacker's. */
async function feed(unpacker: Gunzip, packed: AsyncIterable<Uint8Array>, meter: { packed: number }): Promise<void> {
  try {
    for await (const chunk of packed) {
      if (unpacker.destroyed) return
      meter.packed += chunk.length
      if (!unpacker.write(chunk)) await takesMore(unpacker)
    }
    unpacker.end()
  } catch (error) {
    unpacker.destroy(error as Error)
  }
}

function takesMore(unpacker: Gunzip): Promise<void> {
  return new Promise((resolve) => {
    const done = (): void => {
      unpacker.off('drain', done).off('close', done)
      resolve()
    }
    unpacker.on('drain', done).on('close', done)
  })
}

/** Refuses what is packed beyond all measure. */
export function assertProportion(packed: number, unpacked: number, { ratio, free }: UnpackingBounds): void {
  if (unpacked <= free || unpacked <= ratio * packed) return
  throw new AppError(
    RECORD_ERRORS.archiveTooLarge,
    `More than ${ratio} times as many bytes come out as were packed: ${unpacked} of ${packed} so far. The rest is not unpacked.`,
    { hint: 'Send it as it is, or in parts.' },
  )
}

/** Tells whether a failure is of the bytes that were to be unpacked. */
export function isGzipFault(error: unknown): error is NodeJS.ErrnoException {
  return String((error as NodeJS.ErrnoException).code).startsWith('Z_')
}
