import type { Call } from '../../query/call.ts'

/** What the reference says of an operation, as its form has it. */
export interface Asked {
  readonly method: string
  /** The full path, parameters written `{id}`. */
  readonly path: string
  /** Media type of the body; empty where there is none. */
  readonly type: string
  /** Whether it needs no credential. */
  readonly isOpen: boolean
  readonly answer: 'json' | 'text'
}

/** A request as it is sent. */
export interface Request extends Asked {
  readonly search: Readonly<Record<string, string>>
  readonly headers: Readonly<Record<string, string>>
  readonly body: string | undefined
  /** Parameters of the path that still have to be typed. */
  readonly missing: readonly string[]
}

const JSON_TYPE = 'application/json'

/**
 * Puts what was typed where it belongs. What is left empty is left out; of the path, it stays as the description has it.
 * @param typed by the place and the name of the parameter: `query limit`; or `body`
 */
export function requestOf(asked: Asked, typed: readonly (readonly [name: string, value: string])[]): Request {
  const pairs = (place: string) =>
    Object.fromEntries(
      typed.flatMap(([name, value]) =>
        value !== '' && name.startsWith(`${place} `) ? [[name.slice(place.length + 1), value]] : [],
      ),
    )
  const steps = pairs('path')
  const body = typed.find(([name]) => name === 'body')?.[1].trim() ?? ''
  const path = asked.path.replaceAll(/\{(\w+)\}/g, (whole, name: string) =>
    steps[name] === undefined ? whole : encodeURIComponent(steps[name]),
  )
  return {
    ...asked,
    path,
    search: pairs('query'),
    headers: { ...pairs('header'), ...(body === '' ? {} : { 'content-type': asked.type }) },
    body: body === '' ? undefined : body,
    missing: [...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name),
  }
}

/** Where an address lies: below the API's own, or beside it. */
interface Place {
  /** The address of the server. */
  readonly root: string
  readonly api: string
}

/** The same request for a program; null for what no sample is written of: lines and files. */
export function callOf(request: Request, { root, api }: Place, accountId?: string): Call | null {
  const { method, path, search, body, type, isOpen, answer } = request
  if (type !== '' && type !== JSON_TYPE) return null
  const isBelow = path.startsWith(`${api}/`)
  return {
    root: isBelow ? root + api : root,
    method,
    path: isBelow ? path.slice(api.length) : path,
    search,
    body: body === undefined ? undefined : parsed(body),
    accountId,
    isOpen,
    answer,
  }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
