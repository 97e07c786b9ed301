import type { Json } from '../../kernel/json.ts'
import type { QueryParameter } from '../openapi/operation.ts'
import type { HttpSettings } from '../settings.ts'
import { invalidField } from './body.ts'
import { readSwitch } from './parameter-values.ts'
import type { Parameters } from './parameters.ts'

const DESCRIPTION = 'true: what would be answered with a warning is refused. Left out, as the server is set.'

/** The parameter of requests that may be answered with warnings. */
export const STRICT_PARAMETER: QueryParameter = {
  name: 'strict',
  description: DESCRIPTION,
  schema: { type: 'boolean' },
}

/** The same as a field of a body. */
export const STRICT_FIELD = { type: 'boolean', description: DESCRIPTION } as const

/** Reads `?strict`. */
export function readStrict(parameters: Parameters, { strict }: Pick<HttpSettings, 'strict'>): boolean {
  return parameters.has('strict') ? readSwitch(parameters, 'strict') : strict
}

/** Reads `strict` in a body. */
export function readStrictField(value: Json | undefined, settings: Pick<HttpSettings, 'strict'>): boolean {
  if (value === undefined) return settings.strict
  if (typeof value !== 'boolean') throw invalidField('strict', 'true or false')
  return value
}
