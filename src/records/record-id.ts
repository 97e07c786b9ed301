const FORM = /^[A-Za-z0-9_-]{1,64}$/

/** Last components of addresses under a collection that do not stand for a record. */
const RESERVED: ReadonlySet<string> = new Set([
  'bulk',
  'count',
  'create',
  'create-set',
  'default',
  'export',
  'import',
  'removed',
  'search',
])

/** Tells whether a record can be addressed by this id. */
export function isRecordId(id: string): boolean {
  return FORM.test(id) && !RESERVED.has(id)
}
