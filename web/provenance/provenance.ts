import { propertyTitle } from '../../src/page/property-words.ts'

/** What a record was made from, and what was made of it, as the server tells it. */
export interface ProvenanceOfRecord {
  /** As `COLLECTION/ID`, and so are the ends of links. */
  readonly record: string
  readonly nodes: readonly RelatedRecord[]
  readonly links: readonly Relation[]
  /** Whether there is more than is told. */
  readonly isCut: boolean
}

export interface RelatedRecord {
  readonly collection: string
  readonly _id: string
  /** Null where it is not seen, or gone. */
  readonly name: string | null
  readonly createdAt: string | null
  readonly creator: string | null
}

/** What one record has to do with another, which was there before it. */
export interface Relation {
  readonly from: string
  readonly to: string
  readonly how: string
}

export function keyOf({ collection, _id }: RelatedRecord): string {
  return `${collection}/${_id}`
}

const KINDS: Readonly<Record<string, string>> = {
  materials: 'Material',
  jobs: 'Job',
  properties: 'Property',
  methods: 'Method',
}

/** The kind of a record in a word. */
export function kindText(collection: string): string {
  return KINDS[collection] ?? collection
}

/** Where a record is shown; null where it is not seen, or is one of a bank, which has no pages. */
export function pathOf({ collection, _id, name }: RelatedRecord): string | null {
  return name === null || collection.startsWith('bank-') ? null : `/${collection}/${encodeURIComponent(_id)}`
}

/** A record by its name. */
export function nameText({ collection, name, _id }: RelatedRecord): string {
  if (name === null) return _id
  return collection === 'properties' ? propertyTitle(name) : name
}

/** Words for fields in which records name others, by the kind of who names them. */
const FIELDS: Readonly<Record<string, string>> = {
  'jobs about': 'input',
  'properties about': 'property',
  'materials job': 'result',
  'properties job': 'result',
}

/** What a record came from another by, in a word: `input`, `relaxation`, `copy`. */
export function relationText({ from, how }: Relation): string {
  const [collection = ''] = from.split('/')
  return FIELDS[`${collection} ${how}`] ?? how.replaceAll(/[-_]/g, ' ')
}
