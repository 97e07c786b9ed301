/** Most components, and most characters, of a path that the leaf index holds. */
const LEAF_PATH_PARTS = 64
const LEAF_PATH_LENGTH = 512

/** Paths that are remembered at a time; users may invent as many as they like. */
const REMEMBERED = 50_000

/** Tells whether the index holds leaves at a path at all; the others are too deep or too long. */
export function isIndexedPath(path: string): boolean {
  return path.length <= LEAF_PATH_LENGTH && path.split('.', LEAF_PATH_PARTS + 1).length <= LEAF_PATH_PARTS
}

/**
 * A path through documents with those below it that were met so far. Documents of a collection are much alike: their paths are
 * looked up component by component and not put together anew, and the same text is the same string.
 */
export class LeafPath {
  readonly text: string
  readonly #parts: number
  readonly #fields = new Map<string, LeafPath | null>()

  constructor(text: string, parts: number) {
    this.text = text
    this.#parts = parts
  }

  /** The path of a field; null for one that the index does not hold, because no query can name it or it is too deep or too long. */
  field(key: string): LeafPath | null {
    const known = this.#fields.get(key)
    if (known !== undefined) return known
    const field = this.#make(key)
    this.#fields.set(key, field)
    remembered += 1
    return field
  }

  #make(key: string): LeafPath | null {
    if (key === '' || key.includes('.') || this.#parts >= LEAF_PATH_PARTS) return null
    const text = this.text === '' ? key : `${this.text}.${key}`
    return text.length > LEAF_PATH_LENGTH ? null : new LeafPath(text, this.#parts + 1)
  }
}

let remembered = 0
let top = new LeafPath('', 0)

/** The path of a whole document, below which all others are. */
export function topPath(): LeafPath {
  if (remembered > REMEMBERED) {
    remembered = 0
    top = new LeafPath('', 0)
  }
  return top
}
