import type { Services } from '../app/open-services.ts'
import { AppError } from '../kernel/errors.ts'
import { nearestName } from '../kernel/nearest-name.ts'
import type { RecordKind } from '../records/record-kind.ts'
import { CLI_ERRORS } from './errors.ts'

/** Finds the kind that `--kind` names; which kinds there are is known only with the data directory, which may add some. */
export function kindNamed({ kinds }: Services, collection: string): RecordKind {
  const kind = kinds.find((candidate) => candidate.collection === collection)
  if (kind !== undefined) return kind
  const collections = kinds.map((candidate) => candidate.collection)
  const near = nearestName(collection, collections)
  const hint = near === null ? `Kinds are: ${collections.join(', ')}.` : `Did you mean ${near}?`
  throw new AppError(CLI_ERRORS.usage, `There is no kind ${JSON.stringify(collection)}.`, { path: '--kind', hint })
}
