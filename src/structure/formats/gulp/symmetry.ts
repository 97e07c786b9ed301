import type { StructureWarning } from '../../crystal.ts'
import { FORMAT_ERRORS, refusal } from '../../errors.ts'
import type { Matrix3 } from '../../linear-algebra.ts'
import { fitsCell, type SymmetryOperator } from '../../symmetry/operator.ts'
import { operatorsOfSetting, settingsOfNumber, settingsOfSymbol } from '../../symmetry/space-group-setting.ts'
import { NO_SYMMETRY } from '../cif/symmetry.ts'
import { readCount, shorten } from '../common/text.ts'
import type { GulpLine } from './input.ts'

/** What an input says of its symmetry. */
interface GulpSymmetry {
  /** The symbol or the number. */
  readonly group: GulpLine | undefined
  /** The number of the origin, or a place. */
  readonly origin: GulpLine | undefined
}

/** The operators of the space group on the axes that the cell has; where two origins are tabulated and none is named, the first. */
export function operatorsOf(
  { group, origin }: GulpSymmetry,
  lattice: Matrix3,
  warnings: StructureWarning[],
): readonly SymmetryOperator[] {
  if (group === undefined) return NO_SYMMETRY.operators
  const { line } = group
  const symbol = group.words.join(' ')
  const number = readCount(symbol)
  const named = number === undefined ? settingsOfSymbol(symbol) : settingsOfNumber(number)
  if (named.length === 0) {
    const hint = 'Write a Hermann-Mauguin symbol, such as F M 3 M, or a number from 1 to 230.'
    throw refusal(FORMAT_ERRORS.unknownSpaceGroup, `The space group "${shorten(symbol)}" is not known.`, { line, hint })
  }
  const [choice = '', ...others] = origin?.words ?? []
  if (origin !== undefined && (others.length > 0 || !/^[12]$/.test(choice))) {
    const hint = 'Write 1 or 2, or list all atoms of the cell without a space group.'
    const message = `The origin "${shorten(origin.words.join(' '))}" is not read.`
    throw refusal(FORMAT_ERRORS.notRepresentable, message, { line: origin.line, hint })
  }
  const fitting = named.filter((setting) => fitsCell(operatorsOfSetting(setting), lattice))
  const chosen = fitting.find((setting) => choice !== '' && setting.choice.startsWith(choice)) ?? fitting[0]
  if (chosen === undefined)
    throw refusal(FORMAT_ERRORS.malformed, `The cell does not have the symmetry of ${shorten(symbol)}.`, { line })
  if (choice === '' && /^[12]/.test(chosen.choice)) {
    const message = `${chosen.fullSymbol} has two origins, and the file names none: the first is assumed.`
    warnings.push({ code: 'setting-assumed', message, line })
  }
  return operatorsOfSetting(chosen)
}
