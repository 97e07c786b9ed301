import type { RecordKind } from '../../records/record-kind.ts'
import { ON_DUPLICATE, type OnDuplicate } from '../../records/use-cases/write-checks.ts'
import type { RequestContext } from '../exchange/context.ts'
import type { QueryParameter } from '../exchange/route.ts'
import type { HttpSettings } from '../settings.ts'
import { invalidParameter, knownParameters, type Parameters, readStrict, readSwitch } from './parameters.ts'

export const ON_DUPLICATE_PARAMETER: QueryParameter = {
  name: 'onDuplicate',
  description:
    'When the account has the same content already: create (the default) stores another, return answers with the oldest, fail answers 409.',
  schema: { enum: [...ON_DUPLICATE], default: 'create' },
}

/** The parameter of imports of records that can be laid upon each other. */
export const SKIP_SAME_PARAMETER: QueryParameter = {
  name: 'skipSame',
  description:
    'true: a structure that is the same crystal as one of the account, in whatever cell and with whatever origin, is not stored; the answer names that one.',
  schema: { type: 'boolean', default: false },
}

export interface DuplicateOptions {
  readonly onDuplicate?: OnDuplicate
  readonly skipSame?: boolean
}

/** Reads `?onDuplicate=`, and `?skipSame=` where records of a kind can be the same, on an address that takes nothing else. */
export function duplicateOptions(
  context: RequestContext,
  { likeness }: Pick<RecordKind, 'likeness'>,
): DuplicateOptions {
  const parameters = knownParameters(context, ['onDuplicate', ...(likeness === undefined ? [] : ['skipSame'])])
  const skipSame = parameters.has('skipSame') && readSwitch(parameters, 'skipSame')
  return { ...readOnDuplicate(parameters), ...(skipSame ? { skipSame } : {}) }
}

/** Reads `?onDuplicate=` and `?strict=`, on an address that takes nothing else. */
export function creationOptions(
  context: RequestContext,
  settings: Pick<HttpSettings, 'strict'>,
): DuplicateOptions & { readonly strict: boolean } {
  const parameters = knownParameters(context, ['onDuplicate', 'strict'])
  return { ...readOnDuplicate(parameters), strict: readStrict(parameters, settings) }
}

function readOnDuplicate(parameters: Parameters): DuplicateOptions {
  const text = parameters.get('onDuplicate')
  if (text === undefined) return {}
  const onDuplicate = ON_DUPLICATE.find((choice) => choice === text)
  if (onDuplicate === undefined) throw invalidParameter('onDuplicate', text, ON_DUPLICATE.join(', '))
  return { onDuplicate }
}
