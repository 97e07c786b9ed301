import { groupWords } from '../../../src/page/property-words.ts'
import { Formula } from '../../parts/formula.tsx'
import { Instant } from '../../parts/instant.tsx'
import { TagLine } from '../../parts/tags.tsx'
import { cellText } from './cell-text.ts'

/** Values of a field that is a list of texts. */
export function textsIn(value: unknown): readonly string[] {
  return Array.isArray(value) ? value.filter((one) => typeof one === 'string') : []
}

/** A value of a field, as a table shows it. */
export function CellValue({ path, value }: { readonly path: string; readonly value: unknown }) {
  if (path === 'tags') {
    const tags = textsIn(value)
    return tags.length === 0 ? cellText(value) : <TagLine key={tags.join('\n')} tags={tags} />
  }
  if (typeof value !== 'string') return cellText(value)
  if (path === 'formula') return <Formula text={value} />
  if (/At$/.test(path)) return <Instant at={value} otherwise={value} isShort />
  return /^properties\.\w+\.group$/.test(path) ? groupWords(value) : value
}
