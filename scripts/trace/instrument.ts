import ts from 'typescript'
import { type FunctionNode, isFunctionNode, parseSource } from '../house/source-tree.ts'

/** A module as JavaScript in which every function begins by telling its file and where it begins in it: what the program does is the same. */
export function instrument(file: string, text: string): string {
  const insertions: Insertion[] = []
  collect(parseSource(file, text), (node) => {
    insertions.push(...tellingEntry(node, file))
  })
  const { outputText } = ts.transpileModule(inserted(text, insertions), { compilerOptions: OPTIONS, fileName: file })
  return outputText
}

const OPTIONS: ts.CompilerOptions = {
  target: ts.ScriptTarget.ES2023,
  module: ts.ModuleKind.ESNext,
  verbatimModuleSyntax: true,
  rewriteRelativeImportExtensions: true,
}

interface Insertion {
  readonly at: number
  readonly text: string
}

function collect(node: ts.Node, onFunction: (node: FunctionNode) => void): void {
  if (isFunctionNode(node)) onFunction(node)
  ts.forEachChild(node, (child) => collect(child, onFunction))
}

/** An arrow without braces gets its value through a comma. */
function tellingEntry(node: FunctionNode, file: string): readonly Insertion[] {
  const { body } = node
  const call = `entered('${file}', ${node.getStart()})`
  if (ts.isBlock(body)) return [{ at: body.getStart() + 1, text: `${call};` }]
  return [
    { at: body.getStart(), text: `(${call}, ` },
    { at: body.getEnd(), text: ')' },
  ]
}

/** Of insertions at one place, those of the outer function come first where they open and last where they close. */
function inserted(text: string, insertions: readonly Insertion[]): string {
  const ordered = insertions
    .map((insertion, order) => ({ ...insertion, order: insertion.text === ')' ? -order : order }))
    .toSorted((a, b) => a.at - b.at || a.order - b.order)
  let end = 0
  const pieces = ordered.map(({ at, text: addition }) => {
    const piece = text.slice(end, at) + addition
    end = at
    return piece
  })
  return pieces.join('') + text.slice(end)
}
