import type { Call } from '../../query/call.ts'
import type { Operation, Parameter } from './description.ts'

/** What a reader has typed for an operation. */
export interface Typed {
  /** By the place and the name of the parameter. */
  readonly values: Readonly<Record<string, string>>
  readonly body: string
}

/** A request as it is sent. */
export interface Request {
  /** Without the server's own address. */
  readonly path: string
  readonly search: Readonly<Record<string, string>>
  readonly headers: Readonly<Record<string, string>>
  readonly body: string | undefined
}

const JSON_TYPE = 'application/json'

/** How a body is sent: as JSON where the operation takes that; null where it takes none. */
export function bodyTypeOf({ bodies }: Operation): string | null {
  return JSON_TYPE in bodies ? JSON_TYPE : (Object.keys(bodies)[0] ?? null)
}

/** What stands in the form before anything was typed: the example of the body. */
export function beginTyping(operation: Operation): Typed {
  const type = bodyTypeOf(operation)
  const example = type === null ? undefined : operation.bodies[type]?.example
  return { values: {}, body: example === undefined ? '' : JSON.stringify(example, null, 2) }
}

/** What a parameter is called in a form. */
export function keyOf({ in: place, name }: Parameter): string {
  return `${place} ${name}`
}

/** Puts what was typed where it belongs. What is left empty is left out; of the address, it stays as the description has it. */
export function requestOf(operation: Operation, { values, body }: Typed): Request {
  const typed = operation.parameters.flatMap((parameter) => {
    const value = values[keyOf(parameter)] ?? ''
    return value === '' ? [] : [{ ...parameter, value }]
  })
  const pairs = (place: Parameter['in']) =>
    Object.fromEntries(typed.filter((one) => one.in === place).map(({ name, value }) => [name, value]))
  const steps = pairs('path')
  const type = bodyTypeOf(operation)
  const hasBody = type !== null && body.trim() !== ''
  return {
    path: operation.path.replaceAll(/\{(\w+)\}/g, (whole, name: string) =>
      steps[name] === undefined ? whole : encodeURIComponent(steps[name]),
    ),
    search: pairs('query'),
    headers: { ...pairs('header'), ...(hasBody ? { 'content-type': type } : {}) },
    body: hasBody ? body : undefined,
  }
}

/** Parameters of the address that still have to be typed. */
export function missingSteps({ path }: Request): readonly string[] {
  return [...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name)
}

/** Where an address lies: below the API's own, or beside it. */
interface Place {
  /** The address of the server. */
  readonly root: string
  readonly api: string
}

/** The same request for a program; null for what no sample is written of: lines and files. */
export function callOf(
  operation: Operation,
  { path, search, body }: Request,
  { root, api }: Place,
  accountId?: string,
): Call | null {
  const type = bodyTypeOf(operation)
  const json = body === undefined ? undefined : parsed(body)
  if (type !== null && type !== JSON_TYPE) return null
  const isBelow = path.startsWith(`${api}/`)
  const answers = Object.keys(operation.success.content ?? {})
  return {
    root: isBelow ? root + api : root,
    method: operation.method,
    path: isBelow ? path.slice(api.length) : path,
    search,
    body: json,
    accountId,
    isOpen: operation.isOpen,
    answer: answers.length === 0 || answers.includes(JSON_TYPE) ? 'json' : 'text',
  }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
