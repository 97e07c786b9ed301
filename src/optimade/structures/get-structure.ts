import { AppError } from '../../kernel/errors.ts'
import { type JsonObject, ownField } from '../../kernel/json.ts'
import { clip } from '../../query/parse/parse-context.ts'
import { materialKind } from '../../records/kinds/material/material-kind.ts'
import type { RecordStore } from '../../store/port/record-store.ts'
import { OPTIMADE_ERRORS } from '../errors.ts'
import type { EntryQuery } from './entry-query.ts'
import { presentStructure } from './present-structure.ts'

/** Reads one public material as a structure; what is not public, or no structure, is not there. */
export async function getStructure(store: RecordStore, id: string, { fields }: EntryQuery): Promise<JsonObject> {
  const record = await store.read(materialKind.collection, { kind: 'public' }, id)
  const document = record === null ? null : (JSON.parse(record.text) as JsonObject)
  if (document !== null && ownField(document, 'nSites') !== undefined) return presentStructure(document, fields)
  throw new AppError(OPTIMADE_ERRORS.noSuchStructure, `There is no public structure ${JSON.stringify(clip(id, 64))}.`, {
    path: 'id',
    hint: 'structures lists those that there are.',
  })
}
