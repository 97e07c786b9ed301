import { createHash } from 'node:crypto'
import { newId } from '../kernel/names.ts'
import type { StoredRecord } from '../store/port/record-store.ts'

/** Makes an id that is always the same for the same parts and different for others: what is stored twice is stored once. */
export function contentId(...parts: readonly string[]): string {
  const seed = createHash('sha256').update(JSON.stringify(parts)).digest()
  let block = 0
  return newId((size) => {
    block += 1
    return createHash('shake256', { outputLength: size }).update(seed).update(String(block)).digest()
  })
}

/** Longest slug, so that it fits an address. */
const LONGEST_SLUG = 128

/** Turns a name into the part of an address: "Silicon FCC" becomes `silicon-fcc`. Letters of every script are kept. */
export function slugOf(name: string): string {
  const letters = name
    .slice(0, LONGEST_SLUG * 4)
    .toWellFormed()
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
  const joined = letters.replace(/[^\p{L}\p{N}]+/gu, '-')
  return [...joined].slice(0, LONGEST_SLUG).join('').replace(/^-|-$/g, '')
}

const FORM = /^[A-Za-z0-9_-]{1,64}$/

/** Last components of addresses under a collection that do not stand for a record. */
const RESERVED: ReadonlySet<string> = new Set([
  'bulk',
  'count',
  'create',
  'create-set',
  'default',
  'export',
  'facets',
  'fields',
  'import',
  'points',
  'removed',
  'search',
  'validate',
])

/** Tells whether a record can be addressed by this id. */
export function isRecordId(id: string): boolean {
  return FORM.test(id) && !RESERVED.has(id)
}

/** Stands for the serial of a record that is being written. */
export const NEW_SERIAL = '{serial}'

/** Names one state of one record, for as long as there are records: a record that takes the id of another has other tags. */
export function versionTag({ serial, version }: Pick<StoredRecord, 'serial' | 'version'>): string {
  return `${serial}-${version}`
}

/**
 * Names a record in a change as it was read: by its own account, whoever changes it, and its version, so that the change fails where
 * either is another by now.
 */
export function addressOf(
  collection: string,
  { id, accountId, version }: Pick<StoredRecord, 'id' | 'accountId' | 'version'>,
) {
  return { collection, id, accountId, expectedVersion: version } as const
}

/** An account or a user, as far as records name it. */
export interface Named {
  readonly id: string
  readonly slug: string
}

/** Part of an account or a user for another thread. */
export function named({ id, slug }: Named): Named {
  return { id, slug }
}
