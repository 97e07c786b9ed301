import type { Json } from '../../../src/kernel/json.ts'

/** A request as a user writes it who means something else, or who cannot know better. */
export interface MistakenRequest {
  readonly method: string
  /** Below the base address of the API, or from the root. */
  readonly path: string
  /** JSON, or the text of a body as it is. */
  readonly body?: Json | string
  readonly headers?: Readonly<Record<string, string>>
}

/** One mistake, and what tells its maker of it: a refusal by its code, or warnings by theirs. */
export interface Mistake {
  /** What the user wanted, or thought. */
  readonly meant: string
  readonly request: MistakenRequest
  /** An error of the catalogue, or a warning. */
  readonly code: number
  /** What the message has to say, so that the user gets further. */
  readonly says?: string
}

/** The mistakes of one kind of user. */
export interface Mistakes {
  readonly who: string
  readonly mistakes: readonly Mistake[]
}

type Row = readonly [meant: string, request: MistakenRequest, code: number, says?: string]

/** Names the mistakes of a kind of user. */
export function mistakesOf(who: string, rows: readonly Row[]): Mistakes {
  const mistakes = rows.map(([meant, request, code, says]) => ({
    meant,
    request,
    code,
    ...(says === undefined ? {} : { says }),
  }))
  return { who, mistakes }
}

/** A list of materials by a query and what else the URL says. */
export function list(query: Json, projection?: Json): MistakenRequest {
  const parameters = [
    `query=${encoded(query)}`,
    ...(projection === undefined ? [] : [`projection=${encoded(projection)}`]),
  ]
  return get(`materials?${parameters.join('&')}`)
}

/** A list in some order, or with some fields. */
export function projected(projection: Json): MistakenRequest {
  return get(`materials?projection=${encoded(projection)}`)
}

export function get(path: string, headers?: Readonly<Record<string, string>>): MistakenRequest {
  return { method: 'GET', path, ...(headers === undefined ? {} : { headers }) }
}

export function post(path: string, body?: Json | string, headers?: Readonly<Record<string, string>>): MistakenRequest {
  return {
    method: 'POST',
    path,
    ...(body === undefined ? {} : { body }),
    ...(headers === undefined ? {} : { headers }),
  }
}

function encoded(value: Json): string {
  return encodeURIComponent(JSON.stringify(value))
}
