import type { Relation } from './provenance.ts'

/** What records name beside what they were made from: it goes without saying where something else leads there. */
const SIDE_WORDS = new Set(['about', 'job', 'method'])

/** Links without those that say what others say together: that a property is of the material that its job is about. */
export function reducedLinks(links: readonly Relation[]): readonly Relation[] {
  const origins = originsOf(links)
  return links.filter(({ from, to, how }) => !SIDE_WORDS.has(how) || !leadsAround(origins, from, to))
}

/** What each record names. */
export function originsOf(links: readonly Relation[]): ReadonlyMap<string, readonly string[]> {
  const origins = new Map<string, string[]>()
  for (const { from, to } of links) origins.set(from, [...(origins.get(from) ?? []), to])
  return origins
}

/** Whether another way than the direct one leads from a record to what it names. */
function leadsAround(origins: ReadonlyMap<string, readonly string[]>, from: string, to: string): boolean {
  const seen = new Set([from, to])
  const next = (origins.get(from) ?? []).filter((one) => one !== to)
  for (let at = next.pop(); at !== undefined; at = next.pop()) {
    if (seen.has(at)) continue
    seen.add(at)
    const further = origins.get(at) ?? []
    if (further.includes(to)) return true
    next.push(...further)
  }
  return false
}
