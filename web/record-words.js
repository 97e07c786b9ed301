/**
 * What the pages say of a kind of record.
 * @typedef {object} Collection
 * @property {string} name As in the address.
 * @property {string} title
 * @property {string} one
 * @property {readonly Column[]} columns
 * @property {readonly string[]} examples Queries to begin with.
 */
/** @typedef {{ readonly path: string, readonly title: string, readonly isMinor?: boolean }} Column */

const CREATED = { path: 'createdAt', title: 'Created', isMinor: true }
const TAGS = { path: 'tags', title: 'Tags', isMinor: true }

/** @type {readonly Collection[]} */
export const COLLECTIONS = [
  {
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
  },
  {
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
  },
]

/**
 * Reads a field by its dotted path; undefined when it is not there.
 * @param {any} record
 * @param {string} path
 * @returns {unknown}
 */
export function valueAt(record, path) {
  return path
    .split('.')
    .reduce(
      (at, key) => (at !== null && typeof at === 'object' && Object.hasOwn(at, key) ? at[key] : undefined),
      record,
    )
}
