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

/** Characters of an answer that are read; an export may have any number. */
const MOST_READ = 256 * 1024
const MOST_SHOWN = 20_000

/** Reads an answer as far as it is shown. */
export async function readAnswer(response: Response, sentAt: number): Promise<Answered> {
  const { status, statusText, headers } = response
  const milliseconds = performance.now() - sentAt
  const type = headers.get('content-type') ?? ''
  const read = await readStart(response)
  const text = /^text\/|json|chemical\//.test(type) ? readable(read, type) : read && `A file of the type ${type}`
  const isCut = read.length > MOST_READ || text.length > MOST_SHOWN
  return { status, statusText, milliseconds, headers: [...headers], text: text.slice(0, MOST_SHOWN), isCut }
}

async function readStart({ body }: Response): Promise<string> {
  const reader = body?.pipeThrough(new TextDecoderStream()).getReader()
  let text = ''
  while (text.length <= MOST_READ) {
    const { done = true, value = '' } = (await reader?.read()) ?? {}
    if (done) return text
    text += value
  }
  await reader?.cancel()
  return text
}

function readable(text: string, type: string): string {
  if (!/^application\/json\b/.test(type)) return text
  try {
    return formatJson(JSON.parse(text))
  } catch {
    return text
  }
}
