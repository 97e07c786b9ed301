/** What the pages say of a kind of record. */
export interface Collection {
  /** As in the address. */
  readonly name: string
  readonly title: string
  readonly one: string
  readonly columns: readonly Column[]
  /** Queries to begin with. */
  readonly examples: readonly string[]
}

export interface Column {
  readonly path: string
  readonly title: string
  /** A phone leaves it out. */
  readonly isMinor?: boolean
}

const CREATED: Column = { path: 'createdAt', title: 'Created', isMinor: true }
const TAGS: Column = { path: 'tags', title: 'Tags', isMinor: true }

export const MATERIALS: Collection = {
  name: 'materials',
  title: 'Materials',
  one: 'material',
  columns: [
    { path: 'name', title: 'Name' },
    { path: 'formula', title: 'Formula' },
    { path: 'lattice.type', title: 'Lattice' },
    TAGS,
    CREATED,
  ],
  examples: [
    '{"formula": "SiO2"}',
    '{"basis.elements.value": {"$all": ["Ti", "O"]}}',
    '{"lattice.type": "HEX", "lattice.a": {"$lt": 3}}',
  ],
}

export const METHODS: Collection = {
  name: 'methods',
  title: 'Methods',
  one: 'method',
  columns: [
    { path: 'name', title: 'Name' },
    { path: 'type', title: 'Type' },
    { path: 'subtype', title: 'Subtype' },
    TAGS,
    CREATED,
  ],
  examples: ['{"type": "pseudopotential"}', '{"subtype": {"$in": ["us", "paw"]}}'],
}

/** The collection whose list or record is at an address of the page. */
export function collectionAt(page: string): Collection {
  return page.startsWith('method') ? METHODS : MATERIALS
}
