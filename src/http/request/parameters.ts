import { AppError } from '../../kernel/errors.ts'
import { nearestName, nearestNames } from '../../kernel/names.ts'
import { clip } from '../../query/context.ts'
import { HTTP_ERRORS } from '../errors.ts'
import type { RequestContext } from '../exchange/context.ts'
import type { QueryParameter } from '../exchange/route.ts'
import type { HttpSettings } from '../settings.ts'

/** Parameters of a URL or fields of a form, by name; none twice. */
export type Parameters = ReadonlyMap<string, string>

const NONE: Parameters = new Map()

/** Reads `name=value` pairs joined by `&`; `+` and `%20` both mean a space. */
export function readParameters(text: string): Parameters {
  if (text === '') return NONE
  const parameters = new Map<string, string>()
  for (const pair of text.split('&')) {
    if (pair === '') continue
    const equals = pair.indexOf('=')
    const name = decode(equals === -1 ? pair : pair.slice(0, equals), null)
    const value = equals === -1 ? '' : decode(pair.slice(equals + 1), name)
    if (parameters.has(name)) throw duplicate(name)
    parameters.set(name, value)
  }
  return parameters
}

function decode(text: string, name: string | null): string {
  try {
    return decodeURIComponent(text.includes('+') ? text.replaceAll('+', ' ') : text)
  } catch (cause) {
    const where = name === null ? 'The name of a parameter' : `The value of the parameter ${quoted(name)}`
    throw new AppError(
      HTTP_ERRORS.malformedUrl,
      `${where} is not percent-encoded UTF-8. Encode it as encodeURIComponent does; a lone % is %25.`,
      name === null ? {} : { path: clip(name, 80) },
      cause,
    )
  }
}

function duplicate(name: string): AppError {
  return new AppError(
    HTTP_ERRORS.duplicateParameter,
    `${quoted(name)} is given more than once. Give it once; conditions are joined by $and within query.`,
    { path: clip(name, 80) },
  )
}

/** Writes a name that a client chose into a message. */
export function quoted(name: string): string {
  return JSON.stringify(clip(name, 80))
}

/** Reads a parameter that is `true` or `false`; false when it is left out. */
export function readSwitch(parameters: Parameters, name: string): boolean {
  const text = parameters.get(name)
  return text !== undefined && readTruth(text, name)
}

export function readTruth(text: string, name: string): boolean {
  if (text === 'true' || text === 'false') return text === 'true'
  throw invalidParameter(name, text, 'true or false')
}

const STRICT = 'true: what would be answered with a warning is refused. Left out, as the server is set.'

/** The parameter of requests that may be answered with warnings. */
export const STRICT_PARAMETER: QueryParameter = { name: 'strict', description: STRICT, schema: { type: 'boolean' } }

/** The same as a field of a body. */
export const STRICT_FIELD = { type: 'boolean', description: STRICT } as const

export function readStrict(parameters: Parameters, { strict }: Pick<HttpSettings, 'strict'>): boolean {
  return parameters.has('strict') ? readSwitch(parameters, 'strict') : strict
}

/** Reads a whole number within bounds; undefined when it is left out. */
export function readWholeNumber(parameters: Parameters, name: string, least: number, most: number): number | undefined {
  const text = parameters.get(name)
  if (text === undefined) return undefined
  const value = /^\d{1,15}$/.test(text) ? Number(text) : Number.NaN
  if (value >= least && value <= most) return value
  throw invalidParameter(name, text, `a whole number from ${least} to ${most}`)
}

export function readRevision(parameters: Parameters): number | undefined {
  return readWholeNumber(parameters, 'revision', 1, Number.MAX_SAFE_INTEGER)
}

/** Reads the id of an account; undefined when it is left out. */
export function readAccountId(parameters: Parameters): { readonly accountId?: string } {
  const accountId = parameters.get('accountId')
  if (accountId === '') throw invalidParameter('accountId', '', 'the _id of an account; left out, it is yours')
  return accountId === undefined ? {} : { accountId }
}

export function invalidParameter(name: string, text: string, expected: string, hint?: string): AppError {
  return new AppError(
    HTTP_ERRORS.invalidParameter,
    `The parameter ${quoted(name)} takes ${expected}; not ${quoted(text)}.${hint === undefined ? '' : ` ${hint}`}`,
    hint === undefined ? { path: name } : { path: name, hint },
  )
}

/** As many names as one reads at a glance. */
const FEW = 4

/** Refuses a parameter that nobody would read: it would be a condition that is silently dropped. */
export function assertKnown(parameters: Parameters, known: readonly string[]): void {
  for (const name of parameters.keys()) {
    if (!known.includes(name)) throw unknownParameter(name, known)
  }
}

/** Reads the parameters of an address that takes only these. */
export function knownParameters(context: RequestContext, known: readonly string[]): Parameters {
  const parameters = readParameters(context.query)
  assertKnown(parameters, known)
  return parameters
}

/** Refuses any parameter, on an address that takes none; `inBody` are the fields of its body. */
export function assertNoParameters(context: RequestContext, inBody: readonly string[] = []): void {
  const { query } = context
  if (query === '') return
  const given = readParameters(query)
  for (const name of inBody) {
    if (!given.has(name)) continue
    const hint = `Write it into the body: {${quoted(name)}: …}.`
    throw new AppError(HTTP_ERRORS.unknownParameter, `Unknown URL parameter ${quoted(name)}. ${hint}`, {
      path: name,
      hint,
    })
  }
  assertKnown(given, [])
}

function unknownParameter(name: string, known: readonly string[]): AppError {
  const hint = hintFor(name, known)
  return new AppError(HTTP_ERRORS.unknownParameter, `Unknown URL parameter ${quoted(name)}. ${hint}`, {
    path: clip(name, 80),
    hint,
  })
}

function hintFor(name: string, known: readonly string[]): string {
  if (known.length === 0) return 'This address takes none.'
  if (name.startsWith('{')) return 'Write query={…}.'
  if (name.includes('=')) return 'The = between name and value stands as it is: query=%7B%7D.'
  const near = nearestName(name, known)
  if (near !== null) return `Did you mean ${near}?`
  if (known.length <= FEW) return `Known here: ${known.join(', ')}.`
  const nearest = `The nearest that this address takes are ${nearestNames(name, known, FEW).join(', ')}.`
  // Most likely the name of a field.
  return known.includes('query') && !name.startsWith('$')
    ? `A condition on a field is written query={${quoted(name)}:"…"}. ${nearest}`
    : nearest
}

export function pathParameter(context: RequestContext, name: string): string {
  return context.parameters[name] ?? ''
}

export function pathId(context: RequestContext): string {
  return pathParameter(context, 'id')
}
