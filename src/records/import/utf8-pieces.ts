import { isUtf8 } from 'node:buffer'
import { AppError } from '../../kernel/errors.ts'
import { RECORD_ERRORS } from '../errors.ts'

const MARK = Buffer.from([0xef, 0xbb, 0xbf])

/** Passes the bytes of a text on, cut between characters and without a byte-order mark; refuses what is not UTF-8. */
export async function* utf8Pieces(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  let begun: Uint8Array = new Uint8Array()
  let passed = 0
  let isStart = true
  for await (const chunk of chunks) {
    const bytes = begun.length === 0 ? chunk : Buffer.concat([begun, chunk])
    const end = bytes.length - lengthOfBegun(bytes)
    begun = bytes.subarray(end)
    if (end === 0) continue
    const whole = bytes.subarray(0, end)
    if (!isUtf8(whole)) throw notUtf8(passed)
    passed += end
    yield isStart && MARK.equals(whole.subarray(0, MARK.length)) ? whole.subarray(MARK.length) : whole
    isStart = false
  }
  if (begun.length > 0) throw notUtf8(passed)
}

/** How many bytes at the end are the beginning of a character of several bytes (RFC 3629, 3). */
function lengthOfBegun(bytes: Uint8Array): number {
  for (let length = 1; length <= 3 && length <= bytes.length; length++) {
    const byte = bytes[bytes.length - length] as number
    if (byte < 0x80) return 0
    if (byte < 0xc0) continue
    const whole = byte >= 0xf0 ? 4 : byte >= 0xe0 ? 3 : 2
    return whole > length ? length : 0
  }
  return 0
}

function notUtf8(passed: number): AppError {
  const message = `The file is not text in UTF-8: the first fault comes after byte ${passed}.`
  return new AppError(RECORD_ERRORS.invalidImport, message, { hint: 'Convert the file to UTF-8.' })
}
