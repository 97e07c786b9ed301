import { propertyTitle } from '../../../src/page/property-words.ts'

/** What is known of a name; a name that somebody gave it goes before. */
export function titleOf(record: Readonly<Record<string, unknown>>): string {
  const { data, name: own } = record
  const name = typeof data === 'object' && data !== null && 'name' in data ? String(data.name) : String(own)
  return typeof own === 'string' && own !== '' && own !== name ? own : propertyTitle(name)
}
