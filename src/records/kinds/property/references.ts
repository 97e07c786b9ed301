import { isJsonArray, isJsonObject, type Json, type JsonObject, ownField } from '../../../kernel/json.ts'

/** A record that another one names. */
export interface Reference {
  readonly collection: string
  readonly id: string
  /** Place of the name, as a JSON pointer. */
  readonly pointer: string
}

/** The records that a property names: its materials, the job and the method that it is from. */
export function referencesOf(exabyteId: Json | undefined, source: Json | undefined): readonly Reference[] {
  const materials = isJsonArray(exabyteId)
    ? exabyteId.map((id, at) => ({ collection: 'materials', id, pointer: `/exabyteId/${at}` }))
    : [{ collection: 'materials', id: exabyteId, pointer: '/exabyteId' }]
  const info = isJsonObject(source) ? ownField(source, 'info') : undefined
  const named = isJsonObject(info) ? info : ({} as JsonObject)
  return [
    ...materials,
    { collection: 'jobs', id: ownField(named, 'jobId'), pointer: '/source/info/jobId' },
    { collection: 'methods', id: ownField(named, 'methodId'), pointer: '/source/info/methodId' },
  ].flatMap((reference) => (typeof reference.id === 'string' ? [{ ...reference, id: reference.id }] : []))
}
