import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join, posix } from 'node:path'
import ts from 'typescript'

/** One function, method or accessor that has a body. */
export interface SourceFunction {
  /** The name by which it is known: its own, else that of the constant or property that it is given to. */
  readonly name: string | null
  /** The character of the file at which it begins. */
  readonly start: number
  readonly line: number
  readonly lines: number
}

/** Another file of the tree that a file imports. */
export interface SourceImport {
  readonly file: string
  /** Nothing of it is there when the program runs. */
  readonly isTypeOnly: boolean
}

/** One file of a tree of sources. Paths begin at the root of the tree and have `/`. */
export interface SourceFile {
  readonly path: string
  readonly lines: number
  readonly functions: readonly SourceFunction[]
  readonly imports: readonly SourceImport[]
}

/** Reads every TypeScript file below a directory. */
export function readSourceTree(directory: string): readonly SourceFile[] {
  const paths = readdirSync(directory, { recursive: true, encoding: 'utf8' })
    .map((path) => path.replaceAll('\\', '/'))
    .filter((path) => path.endsWith('.ts') && !path.startsWith('node_modules/'))
    .sort()
  const known = new Set(paths)
  return paths.map((path) => readSource(path, readFileSync(join(directory, path), 'utf8'), known))
}

function readSource(path: string, text: string, known: ReadonlySet<string>): SourceFile {
  const tree = parseSource(path, text)
  const imports = importsOf(path, tree).filter(({ file }) => known.has(file))
  return {
    path,
    lines: tree.getLineStarts().length - (text.endsWith('\n') ? 1 : 0),
    functions: [...functionsOf(tree)],
    imports,
  }
}

/** The syntax tree of a file, in which every node knows its parent. */
export function parseSource(path: string, text: string): ts.SourceFile {
  return ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true)
}

/** What a file imports by paths, whether it is there or not. */
export function importsOf(path: string, tree: ts.SourceFile): readonly SourceImport[] {
  const found: SourceImport[] = []
  for (const statement of tree.statements) {
    if (!ts.isImportDeclaration(statement) && !ts.isExportDeclaration(statement)) continue
    const { moduleSpecifier } = statement
    if (moduleSpecifier === undefined || !ts.isStringLiteral(moduleSpecifier)) continue
    if (moduleSpecifier.text.startsWith('.'))
      found.push({ file: moduleSpecifier.text, isTypeOnly: isErased(statement) })
  }
  for (const specifier of dynamicImports(tree)) found.push({ file: specifier, isTypeOnly: false })
  return found.map(({ file, isTypeOnly }) => ({ file: posix.join(dirname(path), file), isTypeOnly }))
}

function isErased(statement: ts.ImportDeclaration | ts.ExportDeclaration): boolean {
  if (ts.isExportDeclaration(statement)) return statement.isTypeOnly
  const clause = statement.importClause
  if (clause === undefined) return false
  if (clause.phaseModifier === ts.SyntaxKind.TypeKeyword) return true
  const names = clause.namedBindings
  return (
    clause.name === undefined &&
    names !== undefined &&
    ts.isNamedImports(names) &&
    names.elements.length > 0 &&
    names.elements.every((element) => element.isTypeOnly)
  )
}

function* dynamicImports(node: ts.Node): Generator<string> {
  if (ts.isCallExpression(node) && node.expression.kind === ts.SyntaxKind.ImportKeyword) {
    const [specifier] = node.arguments
    if (specifier !== undefined && ts.isStringLiteral(specifier) && specifier.text.startsWith('.')) yield specifier.text
  }
  for (const child of node.getChildren()) yield* dynamicImports(child)
}

/** A node that a call enters. */
export type FunctionNode = ts.FunctionLikeDeclaration & { readonly body: ts.Block | ts.Expression }

/** Tells whether a node is a function with a body: not a signature. */
export function isFunctionNode(node: ts.Node): node is FunctionNode {
  return ts.isFunctionLike(node) && 'body' in node && node.body !== undefined
}

function* functionsOf(node: ts.Node): Generator<SourceFunction> {
  if (isFunctionNode(node)) yield describeFunction(node)
  for (const child of node.getChildren()) yield* functionsOf(child)
}

function describeFunction(node: FunctionNode): SourceFunction {
  const tree = node.getSourceFile()
  const lineOf = (position: number): number => tree.getLineAndCharacterOfPosition(position).line + 1
  const start = node.getStart()
  return { name: nameOf(node), start, line: lineOf(start), lines: lineOf(node.getEnd()) - lineOf(start) + 1 }
}

function nameOf(node: FunctionNode): string | null {
  if (ts.isConstructorDeclaration(node)) return 'constructor'
  if (node.name !== undefined) return node.name.getText()
  const { parent } = node
  const isGiven =
    ts.isVariableDeclaration(parent) || ts.isPropertyAssignment(parent) || ts.isPropertyDeclaration(parent)
  return isGiven ? parent.name.getText() : null
}
