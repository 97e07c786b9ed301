import { rootContext } from '../../query/context.ts'
import { parseFieldName } from '../../query/paths.ts'
import type { QueryBounds } from '../../query/plan.ts'
import type { KeyTerms } from '../../records/import/keyed-records.ts'
import { ON_MATCH } from '../../records/work/record-key.ts'
import type { QueryParameter } from '../exchange/route.ts'
import { invalidParameter } from './parameters.ts'

/** Fields of a key: few are needed to tell records apart. */
const MOST_PATHS = 4

/** Parameters of an import that stores what the account has by a key of its own. */
export const KEY_PARAMETERS: readonly QueryParameter[] = [
  {
    name: 'key',
    description:
      'The path of a field, or several with commas between them, by whose values a record of the account is the one that is sent: it becomes that, and no other is stored.',
    schema: { type: 'string' },
    example: 'task_id',
  },
  {
    name: 'onMatch',
    description:
      'With key. replace: the record becomes what is sent. merge: it has the fields that are sent, others stay.',
    schema: { enum: [...ON_MATCH], default: 'replace' },
  },
]

/** Reads the key of an import; null where it has none. */
export function readKey(key: string | undefined, asked: string | undefined, bounds: QueryBounds): KeyTerms | null {
  if (key === undefined) {
    if (asked !== undefined) throw invalidParameter('onMatch', asked, 'its meaning from key, which is not given')
    return null
  }
  const paths = key.split(',').map((path) => parseFieldName(path, rootContext(bounds, 'key')).text)
  if (paths.length > MOST_PATHS) throw invalidParameter('key', key, `the paths of 1 to ${MOST_PATHS} fields`)
  const onMatch = asked === undefined ? 'replace' : ON_MATCH.find((one) => one === asked)
  if (onMatch === undefined) throw invalidParameter('onMatch', asked ?? '', ON_MATCH.join(' or '))
  return { paths, onMatch }
}
