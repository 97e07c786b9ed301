import { type ElementReader, type Tag, textOf } from './xml-elements.ts'

/** Rows of words under names. */
export interface XmlTable {
  readonly fields: readonly string[]
  readonly rows: readonly (readonly string[])[]
}

/** Reader of a table (`array` of `field` and `set` of `rc` of `c`). Takes as many rows as `most`, and says when there are more. */
export function tableOf(
  { most, onMore }: { readonly most: number; readonly onMore: () => void },
  take: (table: XmlTable) => void,
  unused: (tag: Tag) => ElementReader,
): ElementReader {
  const fields: string[] = []
  const rows: string[][] = []
  const row = (): ElementReader => {
    const words: string[] = []
    return {
      within: (tag) => (tag.name === 'c' ? textOf((text) => words.push(text.trim()), unused) : unused(tag)),
      end: () => {
        if (rows.length === most) onMore()
        else rows.push(words)
      },
    }
  }
  const set: ElementReader = { within: (tag) => (tag.name === 'rc' ? row() : unused(tag)), end: () => {} }
  return {
    within: ({ name, attributes }) => {
      if (name === 'field') return textOf((text) => fields.push(text.trim()), unused)
      if (name === 'dimension') return textOf(() => {}, unused)
      return name === 'set' ? set : unused({ name, attributes })
    },
    end: () => take({ fields, rows }),
  }
}

/** Words of a column; none where the table has no such column. */
export function columnOf({ fields, rows }: XmlTable, field: string): readonly string[] {
  const index = fields.indexOf(field)
  return index < 0 ? [] : rows.map((row) => row[index] ?? '')
}
