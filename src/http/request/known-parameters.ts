import type { FastifyRequest } from 'fastify'
import { AppError } from '../../kernel/errors.ts'
import { nearestName, nearestNames } from '../../kernel/names.ts'
import { clip } from '../../query/parse/parse-context.ts'
import { splitTarget } from '../address.ts'
import { HTTP_ERRORS } from '../errors.ts'
import { type Parameters, quoted, readParameters } from './parameters.ts'

/** As many names as one reads at a glance. */
const FEW = 4

/** Refuses a parameter that nobody would read: it would be a condition that is silently dropped. */
export function assertKnown(parameters: Parameters, known: readonly string[]): void {
  for (const name of parameters.keys()) {
    if (!known.includes(name)) throw unknownParameter(name, known)
  }
}

/** Reads the parameters of an address that takes only these. */
export function knownParameters(request: FastifyRequest, known: readonly string[]): Parameters {
  const parameters = readParameters(splitTarget(request.url).query)
  assertKnown(parameters, known)
  return parameters
}

/** Refuses any parameter, on an address that takes none. */
export function assertNoParameters(request: FastifyRequest): void {
  const { query } = splitTarget(request.url)
  if (query !== '') assertKnown(readParameters(query), [])
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
