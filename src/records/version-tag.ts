import type { StoredRecord } from '../store/port/record-store.ts'

/** Names one state of one record, for as long as there are records: a record that takes the id of another has other tags. */
export function versionTag({ serial, version }: Pick<StoredRecord, 'serial' | 'version'>): string {
  return `${serial}-${version}`
}
