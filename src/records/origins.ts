import { isJsonArray, isJsonObject, type Json, type JsonObject, ownField } from '../kernel/json.ts'

/** The field of a record that says what it was made from. */
export const ORIGINS_FIELD = 'madeFrom'

/** Schema of that field. */
export const ORIGINS_SCHEMA: JsonObject = {
  type: 'array',
  maxItems: 100,
  items: {
    type: 'object',
    required: ['_id'],
    properties: {
      _id: { type: 'string', minLength: 1, description: 'the record' },
      collection: { type: 'string', default: 'materials', description: 'of what kind it is' },
      how: {
        type: 'string',
        maxLength: 200,
        description: 'the operation: `supercell`, `primitive cell`, `relaxation`',
      },
      parameters: { type: 'object', description: 'the parameters of the operation, such as `{"size":[2,2,2]}`' },
      jobId: { type: 'string', minLength: 1, description: 'the job in which it was made' },
    },
  },
  description: 'the records that it was made from, and how',
}

/** Record that another one was made from. */
export type RecordOrigin = {
  readonly _id: string
  readonly collection: string
  readonly how: string
  readonly parameters?: JsonObject
  readonly jobId?: string
}

/** Reads what a record was made from. */
export function originsOf(value: Json | undefined): readonly RecordOrigin[] {
  const origins = isJsonArray(value) ? value.filter(isJsonObject) : []
  return origins.flatMap(({ _id, collection = 'materials', how = 'origin', parameters, jobId }) => {
    if (typeof _id !== 'string') return []
    return [
      {
        _id,
        collection: String(collection),
        how: String(how),
        ...(isJsonObject(parameters) ? { parameters } : {}),
        ...(typeof jobId === 'string' ? { jobId } : {}),
      },
    ]
  })
}

/** A record that an origin names. */
export interface OriginName {
  readonly collection: string
  readonly id: string
  /** Place of the name, as a JSON pointer. */
  readonly pointer: string
}

/** The records that the origins of a record name and that those of another version do not. */
export function newOrigins(document: JsonObject, before: JsonObject): readonly OriginName[] {
  const known = new Set(namesIn(before).map(keyOf))
  return namesIn(document).filter((one) => !known.has(keyOf(one)))
}

function namesIn(document: JsonObject): readonly OriginName[] {
  return originsOf(ownField(document, ORIGINS_FIELD)).flatMap(({ _id, collection, jobId }, at) => [
    { collection, id: _id, pointer: `/${ORIGINS_FIELD}/${at}/_id` },
    ...(jobId === undefined ? [] : [{ collection: 'jobs', id: jobId, pointer: `/${ORIGINS_FIELD}/${at}/jobId` }]),
  ])
}

function keyOf({ collection, id }: OriginName): string {
  return `${collection}/${id}`
}
