import { disorderedFormula } from '../../../src/page/disordered-formula.ts'
import { groupWords } from '../../../src/page/property-words.ts'
import { ownerCalled } from '../../app/owner-called.ts'
import { Formula } from '../../parts/formula.tsx'
import { Instant } from '../../parts/instant.tsx'
import { SpaceGroup } from '../../parts/space-group.tsx'
import { Strukturbericht } from '../../parts/strukturbericht.tsx'
import { TagLine, Tags } from '../../parts/tags.tsx'
import { valueAt } from '../../parts/value-at.ts'
import { cellText } from './cell-text.ts'
import { OWNER, type Row } from './collections.ts'

interface CellValueProps {
  readonly path: string
  readonly value: unknown
  /** What else is known of the record. */
  readonly record: Row
  /** Whether there is room for all of it. */
  readonly isWhole?: boolean
}

/** A value of a field, as people of the field write it. */
export function CellValue({ path, value, record, isWhole = false }: CellValueProps) {
  if (path === 'tags' && Array.isArray(value) && value.length > 0) {
    const tags = value.filter((one) => typeof one === 'string')
    return isWhole ? <Tags tags={tags} /> : <TagLine key={tags.join('\n')} tags={tags} />
  }
  // Sets are among the materials that they hold, and have none.
  if (path === 'formula' && record['isEntitySet'] === true) return 'set'
  if (path === 'isPublic') return value === true ? 'everybody' : 'its account alone'
  if (typeof value !== 'string') return cellText(value)
  if (path === OWNER) return ownerCalled(value)
  if (/At$/.test(path)) return <Instant at={value} otherwise={value} isShort />
  if (/^properties\.\w+\.group$/.test(path)) return groupWords(value)
  const number = valueAt(record, 'spaceGroup.number')
  return (
    <PrintedSymbol
      path={path}
      text={value}
      number={typeof number === 'number' ? number : null}
      isDisordered={record['isDisordered'] === true}
    />
  )
}

interface SymbolProps {
  readonly path: string
  readonly text: string
  /** Of the space group. */
  readonly number: number | null
  readonly isDisordered?: boolean
}

/** A formula, a space group or another symbol, as it is printed; any other text as it is. */
export function PrintedSymbol({ path, text, number, isDisordered = false }: SymbolProps) {
  if (path === 'formula') return <Formula text={isDisordered ? disorderedFormula(text) : text} />
  if (/formula/i.test(path)) return <Formula text={text} />
  if (path === 'spaceGroup.symbol') return <SpaceGroup symbol={text} number={number} />
  if (path === 'spaceGroup.pointGroup') return <SpaceGroup symbol={` ${text}`} number={null} />
  return path === 'prototype.strukturbericht' ? <Strukturbericht symbol={text} /> : text
}
