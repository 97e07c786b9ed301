import { operatorKey, parseOperator, type SymmetryOperator } from '../symmetry/operator.ts'
import { determinant } from '../vector.ts'
import { type CifBlock, type CifValue, isGiven } from './cif-document.ts'
import { FORMAT_ERRORS, refusal } from './errors.ts'
import { shorten } from './text.ts'

const OPERATOR_TAGS = ['_space_group_symop_operation_xyz', '_symmetry_equiv_pos_as_xyz', '_symmetry_equiv_pos_xyz']
/** Those of the largest group, F centred cubic, in a cell doubled along all edges. */
const MOST_OPERATORS = 1536

/** The operators that a block lists, by their keys, and where the list begins. */
export interface OperatorList {
  readonly operators: ReadonlyMap<string, SymmetryOperator>
  readonly line: number
}

/** Reads the operators that a block lists, each once but for whole lattice translations; nothing when it lists none. */
export function readListedOperators(block: CifBlock): OperatorList | undefined {
  for (const tag of OPERATOR_TAGS) {
    const texts = operatorTexts(block, tag)
    if (texts.length === 0) continue
    const operators = new Map<string, SymmetryOperator>()
    for (const { text, line } of texts) {
      const operator = readOperator(text)
      if (operator === undefined) {
        throw refusal(FORMAT_ERRORS.unknownSpaceGroup, `"${shorten(text)}" is not a symmetry operator.`, {
          line,
          hint: 'An operator is written as -x,y+1/2,-z+1/2.',
        })
      }
      operators.set(operatorKey(operator), operator)
    }
    if (operators.size > MOST_OPERATORS) {
      throw refusal(
        FORMAT_ERRORS.unknownSpaceGroup,
        `${operators.size} symmetry operators are listed; no space group has as many.`,
        {
          line: texts[0]?.line ?? 1,
        },
      )
    }
    return { operators, line: texts[0]?.line ?? 1 }
  }
  return undefined
}

function readOperator(text: string): SymmetryOperator | undefined {
  // Some programs number the operators within the text.
  const operator = parseOperator(text.replace(/^\s*\d+\s+(?=\S)/, '').replaceAll(/["']/g, ''))
  if (operator === undefined) return undefined
  const whole = operator.rotation.flat().every(Number.isInteger)
  return whole && Math.abs(determinant(operator.rotation)) === 1 ? operator : undefined
}

/** The texts of the operators: one per row, or one per line where they are not quoted and contain spaces. */
function operatorTexts(block: CifBlock, tag: string): { text: string; line: number }[] {
  const item = block.items.get(tag)
  if (isGiven(item))
    return item.text
      .split(/[\n;]/)
      .filter((text) => text.trim() !== '')
      .map((text) => ({ text, line: item.line }))
  const loop = block.loops.find(({ tags }) => tags.includes(tag))
  if (loop === undefined) return []
  const column = loop.tags.indexOf(tag)
  const width = loop.tags.length
  const inOrder = loop.values.length % width === 0
  const texts = loop.values.filter((_, index) => index % width === column).filter(isGiven)
  if (inOrder && texts.every(({ text }) => text.split(',').length === 3)) return texts
  const joined = joinLines(loop.values)
  if (joined.every(({ text }) => readOperator(text) !== undefined)) return joined
  if (inOrder) return texts
  throw refusal(
    FORMAT_ERRORS.inconsistentCounts,
    `The loop of symmetry operators has ${loop.values.length} values for ${width} columns.`,
    { line: loop.line, hint: 'Put operators that contain spaces in quotes.' },
  )
}

function joinLines(values: readonly CifValue[]): { text: string; line: number }[] {
  const lines = new Map<number, string>()
  for (const { text, line } of values) lines.set(line, `${lines.get(line) ?? ''} ${text}`)
  return [...lines].map(([line, text]) => ({ text, line }))
}
