import type { FastifyRequest } from 'fastify'
import { ON_DUPLICATE, type OnDuplicate } from '../../records/find-duplicates.ts'
import type { QueryParameter } from '../openapi/operation.ts'
import type { HttpSettings } from '../settings.ts'
import { knownParameters } from './known-parameters.ts'
import { invalidParameter } from './parameter-values.ts'
import type { Parameters } from './parameters.ts'
import { readStrict } from './strict.ts'

export const ON_DUPLICATE_PARAMETER: QueryParameter = {
  name: 'onDuplicate',
  description:
    'When the account has the same content already: create (the default) stores another, return answers with the oldest, fail answers 409.',
  schema: { enum: [...ON_DUPLICATE], default: 'create' },
}

/** What a client says of duplicates. */
export interface DuplicateOptions {
  readonly onDuplicate?: OnDuplicate
}

/** Reads `?onDuplicate=`, on an address that takes nothing else. */
export function duplicateOptions(request: FastifyRequest): DuplicateOptions {
  return readOnDuplicate(knownParameters(request, ['onDuplicate']))
}

/** Reads `?onDuplicate=` and `?strict=`, on an address that takes nothing else. */
export function creationOptions(
  request: FastifyRequest,
  settings: Pick<HttpSettings, 'strict'>,
): DuplicateOptions & { readonly strict: boolean } {
  const parameters = knownParameters(request, ['onDuplicate', 'strict'])
  return { ...readOnDuplicate(parameters), strict: readStrict(parameters, settings) }
}

function readOnDuplicate(parameters: Parameters): DuplicateOptions {
  const text = parameters.get('onDuplicate')
  if (text === undefined) return {}
  const onDuplicate = ON_DUPLICATE.find((choice) => choice === text)
  if (onDuplicate === undefined) throw invalidParameter('onDuplicate', text, ON_DUPLICATE.join(', '))
  return { onDuplicate }
}
