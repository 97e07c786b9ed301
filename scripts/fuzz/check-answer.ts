import type { RawAnswer } from './connection.ts'

/** Says what is wrong with an answer, in a few words; null when it is as every answer must be. */
export function problemOf({ status, head, body }: RawAnswer): string | null {
  if (!Number.isInteger(status) || status < 200) return `status ${status}`
  if (status >= 500) return `status ${status}: ${body.slice(0, 300)}`
  if (!/^x-request-id: \S/im.test(head)) return 'no X-Request-Id'
  if (body === '' || (status === 200 && isFile(head))) return null
  let value: { status?: unknown; code?: unknown; message?: unknown; data?: unknown }
  try {
    value = JSON.parse(body)
  } catch {
    return `a body that is no JSON: ${body.slice(0, 100)}`
  }
  if (status < 300) return null
  const isFault =
    value.status === 'fail' &&
    typeof value.code === 'number' &&
    Math.floor(value.code / 100) === status &&
    typeof value.message === 'string' &&
    typeof value.data === 'object' &&
    value.data !== null
  return isFault ? null : `no envelope: ${body.slice(0, 200)}`
}

/** What is not the API's: the pages, their files, metrics, records as lines. */
function isFile(head: string): boolean {
  return /^content-type: (text\/|image\/|application\/x-ndjson)/im.test(head)
}
