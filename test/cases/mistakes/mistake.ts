import type { Json } from '../../../src/kernel/json.ts'

/** A request as a user writes it who means something else, or who cannot know better. */
export interface MistakenRequest {
  readonly method: string
  /** Below the base address of the API, or from the root. `{mine}` and so on stand for ids, see {@link Known}. */
  readonly path: string
  /** JSON, or the text of a body as it is. */
  readonly body?: Json | string
  readonly headers?: Readonly<Record<string, string>>
  /** Whose credentials go with it; those of a user who has records when left out. */
  readonly as?: 'ada' | 'guest' | 'readOnly'
}

/** What there is before any mistake is made; its names in braces stand for ids in paths, bodies and headers. */
export const KNOWN = ['mine', 'sample', 'set', 'method', 'team', 'account'] as const
export type Known = (typeof KNOWN)[number]

/** One mistake, and what tells its maker of it: a refusal by its code, or warnings by theirs. */
export interface Mistake {
  /** What the user wanted, or thought. */
  readonly meant: string
  readonly request: MistakenRequest
  /** An error of the catalogue, or a warning; structure files and OPTIMADE have warnings with names in place of numbers. */
  readonly code: number | string
  /** What the message has to say, so that the user gets further. */
  readonly says: string
}

/** The mistakes of one kind of user. */
export interface Mistakes {
  readonly who: string
  readonly mistakes: readonly Mistake[]
}

type Row = readonly [meant: string, request: MistakenRequest, code: number | string, says: string]

/** Names the mistakes of a kind of user. */
export function mistakesOf(who: string, rows: readonly Row[]): Mistakes {
  return { who, mistakes: rows.map(([meant, request, code, says]) => ({ meant, request, code, says })) }
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

type Sent = Pick<MistakenRequest, 'body' | 'headers' | 'as'>

export function get(path: string, headers: Readonly<Record<string, string>> = {}): MistakenRequest {
  return { method: 'GET', path, headers }
}

export function post(path: string, body?: Json | string, sent: Sent = {}): MistakenRequest {
  return send('POST', path, { ...(body === undefined ? {} : { body }), ...sent })
}

export function send(method: string, path: string, sent: Sent = {}): MistakenRequest {
  return { method, path, ...sent }
}

/** A list of OPTIMADE by a filter. */
export function optimade(filter: string): MistakenRequest {
  return get(`/optimade/v1/structures?filter=${encodeURIComponent(filter)}`)
}

/** A form with files, as curl -F sends it. */
export function form(files: Readonly<Record<string, string>>, fields: Readonly<Record<string, string>> = {}): Sent {
  const part = (head: string, text: string): string =>
    `--edge\r\nContent-Disposition: form-data; ${head}\r\n\r\n${text}\r\n`
  const parts = [
    ...Object.entries(fields).map(([name, text]) => part(`name="${name}"`, text)),
    ...Object.entries(files).map(([name, text]) => part(`name="file"; filename="${name}"`, text)),
  ]
  return { body: `${parts.join('')}--edge--\r\n`, headers: { 'content-type': 'multipart/form-data; boundary=edge' } }
}

/** Records, one a line, as they are loaded in bulk. */
export function lines(...records: readonly (Json | string)[]): Sent {
  const texts = records.map((record) => (typeof record === 'string' ? record : JSON.stringify(record)))
  return { body: texts.join('\n'), headers: { 'content-type': 'application/x-ndjson' } }
}

function encoded(value: Json): string {
  return encodeURIComponent(JSON.stringify(value))
}
