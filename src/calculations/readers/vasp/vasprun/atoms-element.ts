import { FORMAT_ERRORS, refusal } from '../../../../structure/errors.ts'
import { readCount, readNumber } from '../../../../structure/formats/common/text.ts'
import type { OutputLimits } from '../../../calculation.ts'
import type { AtomType } from '../structure.ts'
import { type Unused, unusedAt } from './structure-element.ts'
import { columnOf, tableOf, type XmlTable } from './tables.ts'
import { type ElementReader, IGNORED } from './xml-elements.ts'

/** Fields of the kinds of atoms of which the reader makes use. */
const USED = ['atomspertype', 'element', 'pseudopotential']

/** Reader of the atoms: the kinds, in the order of the positions. */
export function atomsOf(
  take: (types: readonly AtomType[]) => void,
  limits: OutputLimits,
  unused: Unused,
): ElementReader {
  const other = unusedAt(unused)
  const rows = { most: limits.atoms, onMore: () => refuseMore(limits.atoms) }
  let types: readonly AtomType[] = []
  let elements: readonly string[] = []
  return {
    within: (tag) => {
      if (tag.attributes.name === 'atomtypes')
        return tableOf(
          rows,
          (table) => {
            types = typesOf(table)
            if (types.reduce((sum, { count }) => sum + count, 0) > limits.atoms) refuseMore(limits.atoms)
            for (const field of table.fields.filter((name) => !USED.includes(name)))
              unused.elements.keep([...unused.path, 'atomtypes', field], columnOf(table, field).map(Number))
          },
          other,
        )
      if (tag.attributes.name === 'atoms')
        return tableOf(rows, (table) => (elements = columnOf(table, 'element')), other)
      return tag.name === 'atoms' || tag.name === 'types' ? IGNORED : other(tag)
    },
    end: () => take(types.length > 0 ? types : elements.map((name) => ({ name, title: '', count: 1 }))),
  }
}

function typesOf(table: XmlTable): readonly AtomType[] {
  const names = columnOf(table, 'element')
  const titles = columnOf(table, 'pseudopotential')
  const valences = columnOf(table, 'valence').map(readNumber)
  return columnOf(table, 'atomspertype').map((text, index) => ({
    name: names[index] ?? '',
    title: titles[index] ?? '',
    count: readCount(text) ?? refuseCount(text),
    ...(valences[index] === undefined ? {} : { valence: valences[index] }),
  }))
}

function refuseCount(text: string): never {
  throw refusal(FORMAT_ERRORS.malformed, `"${text}" is no number of atoms of a kind.`)
}

function refuseMore(most: number): never {
  const message = `The output has more than ${most} atoms, which is the most that can be stored.`
  throw refusal(FORMAT_ERRORS.tooManyAtoms, message, { hint: 'Store a smaller cell.' })
}
