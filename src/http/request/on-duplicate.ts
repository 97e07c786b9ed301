import type { FastifyRequest } from 'fastify'
import { ON_DUPLICATE, type OnDuplicate } from '../../records/find-duplicates.ts'
import type { QueryParameter } from '../openapi/operation.ts'
import { knownParameters } from './known-parameters.ts'
import { invalidParameter } from './parameter-values.ts'

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
  const text = knownParameters(request, ['onDuplicate']).get('onDuplicate')
  if (text === undefined) return {}
  const onDuplicate = ON_DUPLICATE.find((choice) => choice === text)
  if (onDuplicate === undefined) throw invalidParameter('onDuplicate', text, ON_DUPLICATE.join(', '))
  return { onDuplicate }
}
