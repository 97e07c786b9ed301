import { formatJson } from '../../parts/json-text.ts'

/** What came back, as it is shown. */
export interface Answered {
  readonly status: number
  readonly statusText: string
  readonly milliseconds: number
  readonly headers: readonly (readonly [name: string, value: string])[]
  readonly text: string
  /** Whether there is more than is shown. */
  readonly isCut: boolean
}

/** Bytes of an answer that are read; an export may have any number. */
const MOST_BYTES = 256 * 1024
/** Characters that are shown. */
const MOST_CHARACTERS = 20_000

/** Reads an answer as far as it is shown. */
export async function readAnswer(response: Response, sentAt: number): Promise<Answered> {
  const milliseconds = performance.now() - sentAt
  const { bytes, isCut } = await readStart(response)
  const type = response.headers.get('content-type') ?? ''
  const whole = isText(type) ? readable(new TextDecoder().decode(bytes), type) : `${bytes.length} bytes of ${type}`
  return {
    status: response.status,
    statusText: response.statusText,
    milliseconds,
    headers: [...response.headers],
    text: whole.slice(0, MOST_CHARACTERS),
    isCut: isCut || whole.length > MOST_CHARACTERS,
  }
}

async function readStart(response: Response): Promise<{ readonly bytes: Uint8Array; readonly isCut: boolean }> {
  const reader = response.body?.getReader()
  const parts: Uint8Array[] = []
  let length = 0
  while (reader !== undefined) {
    const { done, value } = await reader.read()
    if (done) break
    parts.push(value)
    length += value.length
    if (length > MOST_BYTES) {
      await reader.cancel()
      break
    }
  }
  const bytes = new Uint8Array(await new Blob(parts as BlobPart[]).arrayBuffer())
  return { bytes: bytes.slice(0, MOST_BYTES), isCut: length > MOST_BYTES }
}

function isText(type: string): boolean {
  return /^text\/|json|chemical\//.test(type)
}

function readable(text: string, type: string): string {
  if (!/^application\/json\b/.test(type)) return text
  try {
    return formatJson(JSON.parse(text))
  } catch {
    return text
  }
}
