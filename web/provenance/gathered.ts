import { keyOf, type ProvenanceOfRecord, type RelatedRecord, type Relation } from './provenance.ts'

/** A record in the drawing, or several that are alike and have no room of their own. */
export interface DrawnRecord {
  readonly key: string
  readonly record: RelatedRecord
  /** Others that it stands for, with itself; empty for one that is drawn. */
  readonly gathered: readonly RelatedRecord[]
}

export interface Gathered {
  readonly records: readonly DrawnRecord[]
  readonly links: readonly Relation[]
}

/** Alike records that are drawn one by one; of more the last is all the others. */
const MOST_ALIKE = 6

/** Gathers records that nothing but their name tells apart: of one kind, made from the same and by the same word, or the other way round. */
export function gathered(
  { record, nodes }: ProvenanceOfRecord,
  links: readonly Relation[],
  opened: ReadonlySet<string>,
): Gathered {
  const groups = new Map<string, RelatedRecord[]>()
  for (const node of nodes) {
    const key = keyOf(node) === record ? record : likenessOf(node, links)
    groups.set(key, [...(groups.get(key) ?? []), node])
  }
  const records = [...groups].flatMap(([likeness, alike]) => drawnOf(likeness, alike, opened))
  const drawn = new Set(records.map(({ key }) => key))
  const stands = new Map(records.flatMap(({ key, gathered: all }) => all.map((one) => [keyOf(one), key] as const)))
  const placed = new Map<string, Relation>()
  for (const { from, to, how } of links) {
    const link = { from: stands.get(from) ?? from, to: stands.get(to) ?? to, how }
    if (drawn.has(link.from) && drawn.has(link.to)) placed.set(`${link.from} ${link.to} ${how}`, link)
  }
  return { records, links: [...placed.values()] }
}

function drawnOf(
  likeness: string,
  alike: readonly RelatedRecord[],
  opened: ReadonlySet<string>,
): readonly DrawnRecord[] {
  const key = `${likeness} and others`
  const isFew = alike.length <= MOST_ALIKE || opened.has(key)
  const shown = isFew ? alike : alike.slice(0, MOST_ALIKE - 1)
  const rest = alike.slice(shown.length)
  const [first] = rest
  return [
    ...shown.map((record) => ({ key: keyOf(record), record, gathered: [] })),
    ...(first === undefined ? [] : [{ key, record: first, gathered: rest }]),
  ]
}

/** Records with the same links at one side and none at the other are alike. */
function likenessOf(node: RelatedRecord, links: readonly Relation[]): string {
  const key = keyOf(node)
  const before = links.filter(({ from }) => from === key)
  const after = links.filter(({ to }) => to === key)
  if (before.length > 0 && after.length > 0) return key
  const ends = [...before.map(({ to, how }) => `${how} ${to}`), ...after.map(({ from, how }) => `${from} ${how}`)]
  return `${node.collection}/ ${node.name === null} ${ends.sort().join(' ')}`
}
