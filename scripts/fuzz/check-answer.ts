import type { RawAnswer } from './connection.ts'

/** Says what is wrong with an answer, in a few words; null when it is as every answer must be. */
export function problemOf({ status, head, body }: RawAnswer): string | null {
  if (!Number.isInteger(status) || status < 200) return `status ${status}`
  if (status >= 500 && !isDeliberate(status, body)) return `status ${status}: ${body.slice(0, 300)}`
  if (!/^x-request-id: \S/im.test(head)) return 'no X-Request-Id'
  if (body === '' || (status === 200 && isFile(head))) return null
  let value: unknown
  try {
    value = JSON.parse(body)
  } catch {
    return `a body that is no JSON: ${body.slice(0, 100)}`
  }
  if (status < 300 || isFault(value, status) || isOptimadeFault(value, status)) return null
  return `no envelope: ${body.slice(0, 200)}`
}

/** The server is busy, keeps jobs and does not run them, or does not speak that much of OPTIMADE: all of it is meant. */
function isDeliberate(status: number, body: string): boolean {
  if (status === 503) return /"code":"?(_quarry_)?(50301|50302|50307|50320|50330)\b/.test(body)
  return status === 501 || status === 553
}

function isFault(value: unknown, status: number): boolean {
  const { status: outcome, code, message, data } = value as Readonly<Record<string, unknown>>
  return (
    (outcome === 'fail' || (outcome === 'error' && status >= 500)) &&
    Math.floor(Number(code) / 100) === status &&
    typeof message === 'string' &&
    typeof data === 'object' &&
    data !== null
  )
}

function isOptimadeFault(value: unknown, status: number): boolean {
  const { errors, meta } = value as { readonly errors?: readonly Readonly<Record<string, unknown>>[]; meta?: unknown }
  return meta !== undefined && errors?.[0]?.status === String(status) && typeof errors[0].detail === 'string'
}

/** What is not the API's: the pages, their files, metrics, records as lines, structure files. */
function isFile(head: string): boolean {
  return /^content-type: (text\/|image\/|chemical\/|application\/(x-ndjson|gzip|zip))/im.test(head)
}
