import type { Json, JsonObject } from '../../src/kernel/json.ts'

/** One request to a server, as data. */
export interface Question {
  /** Who asks: a name in the list of people, or `guest`. */
  readonly as: string
  readonly method: 'GET' | 'POST'
  readonly path: string
  readonly body?: JsonObject
  /** Goes on behind the cursor of each page until there is none; the answer is the ids of the records, page by page. */
  readonly walk?: true
}

/** What is compared of an answer: a refusal's text may be put better in a later version, its code may not change. */
export type Answer =
  | { readonly status: number; readonly data: Json }
  | { readonly status: number; readonly text: string }
  | { readonly status: number; readonly pages: readonly (readonly string[])[] }
  | { readonly status: number; readonly code: number }

/** The headers that make a request somebody's. */
export type People = Readonly<Record<string, Readonly<Record<string, string>>>>

/** Asks a server. */
export async function ask(origin: string, people: People, question: Question): Promise<Answer> {
  if (question.walk === true) return walk(origin, people, question)
  const response = await send(origin, people, question)
  return answerOf(response, await response.text())
}

async function walk(origin: string, people: People, question: Question): Promise<Answer> {
  const pages: string[][] = []
  for (let after: string | null = null; ; ) {
    const response = await send(origin, people, after === null ? question : behind(question, after))
    const { status } = response
    if (status !== 200) return answerOf(response, await response.text())
    const { data } = (await response.json()) as { data: { _id: string }[] }
    pages.push(data.map(({ _id }) => _id))
    after = response.headers.get('x-next-cursor')
    if (after === null) return { status, pages }
  }
}

function behind(question: Question, after: string): Question {
  const { projection } = question.body as { projection: JsonObject }
  return { ...question, body: { ...question.body, projection: { ...projection, after } } }
}

function send(origin: string, people: People, { as, method, path, body }: Question): Promise<Response> {
  const headers = { ...people[as], ...(body === undefined ? {} : { 'content-type': 'application/json' }) }
  return fetch(`${origin}${path}`, { method, headers, ...(body === undefined ? {} : { body: JSON.stringify(body) }) })
}

function answerOf({ status, headers }: Response, text: string): Answer {
  const isJson = headers.get('content-type')?.startsWith('application/json') === true
  if (!isJson && !headers.get('content-type')?.startsWith('application/vnd.api+json')) return { status, text }
  const { data, code } = JSON.parse(text) as { data: Json; code?: number }
  return code === undefined ? { status, data } : { status, code }
}
