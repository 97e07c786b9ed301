import type { SchemaNode } from './node.ts'

/** A kind of record that the server has. */
export interface Kind {
  /** Singular: `xrd-pattern`. */
  readonly name: string
  /** Plural, as in addresses: `xrd-patterns`. */
  readonly collection: string
  /** Fields that the server writes. */
  readonly computed: readonly string[]
  /** Units of numbers by their paths, beside those that the schema says. */
  readonly units: Readonly<Record<string, string>>
  readonly schema: SchemaNode
}

/** `xrd pattern`: one record of a kind, within a sentence. */
export function oneOf({ name, schema: { title = '' } }: Kind): string {
  // The titles of kinds that come with the program are their names, or what somebody else has called them.
  return title.toLowerCase().replaceAll(/[\s-]+/g, '-') === name ? title : name.replaceAll('-', ' ')
}

/** `XRD patterns`: its records, as a heading. */
export function manyOf(kind: Kind): string {
  const { name, collection } = kind
  const words = collection.startsWith(name)
    ? oneOf(kind) + collection.slice(name.length)
    : collection.replaceAll('-', ' ')
  return words.charAt(0).toUpperCase() + words.slice(1)
}
