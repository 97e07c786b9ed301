import type { Json } from '../../kernel/json.ts'

/** A value that an expression has in itself. `undefined` is an argument that is left out. */
export type LiteralValue = Json | Date | undefined | readonly LiteralValue[] | { readonly [key: string]: LiteralValue }

/** An aggregation expression after parsing. */
export type ExpressionNode = LiteralNode | PatternNode | PathNode | ObjectNode | ArrayNode | CallNode

export interface LiteralNode {
  readonly kind: 'literal'
  readonly value: LiteralValue
}

export interface PatternNode {
  readonly kind: 'pattern'
  readonly pattern: TextPattern
}

/** `$a.b` (variable `CURRENT`), `$$ROOT.a`, `$$this.b`: the parts after the variable. */
export interface PathNode {
  readonly kind: 'path'
  readonly variable: string
  readonly parts: readonly string[]
  readonly place: string
}

export interface ObjectNode {
  readonly kind: 'object'
  readonly fields: readonly (readonly [string, ExpressionNode])[]
  readonly place: string
}

export interface ArrayNode {
  readonly kind: 'array'
  readonly items: readonly ExpressionNode[]
  readonly place: string
}

/** Parts of an operator's operand. */
export interface CallParts<
  Args extends readonly ExpressionNode[] = readonly ExpressionNode[],
  Constants extends LiteralValue = LiteralValue,
> {
  /** Expressions computed for each document; all that the operand has. */
  readonly args: Args
  /** Data known beforehand: the names of the arguments, the name of a variable, a sort; null where there is nothing. */
  readonly constants: Constants
}

/** A call of an operator. What its parts mean is the operator's to say, which is looked up when the call is compiled. */
export interface CallNode extends CallParts {
  readonly kind: 'call'
  readonly operator: string
  /** Place in the query: `query.$expr.$gt[0].$add`. */
  readonly place: string
}

/** A regular expression that is known to run in linear time; what it finds is `compilePattern`'s to say. */
export interface TextPattern {
  /** As the client wrote it, in PCRE's dialect. */
  readonly source: string
  /** A subset of `imsx`, sorted. */
  readonly flags: string
}

/** An expression and all that it is made of, each before its own parts. */
export function* nodesWithin(node: ExpressionNode): Generator<ExpressionNode> {
  yield node
  for (const part of partsOf(node)) yield* nodesWithin(part)
}

function partsOf(node: ExpressionNode): readonly ExpressionNode[] {
  switch (node.kind) {
    case 'literal':
    case 'pattern':
    case 'path':
      return []
    case 'object':
      return node.fields.map(([, field]) => field)
    case 'array':
      return node.items
    case 'call':
      return node.args
  }
}

/** Paths, each once, at which an expression looks into a document; null: at all of it. Another `CURRENT`, of `$let`, adds one too many. */
export function pathsRead(expression: ExpressionNode): readonly (readonly string[])[] | null {
  const paths = new Map<string, readonly string[]>()
  for (const node of nodesWithin(expression)) {
    if (node.kind !== 'path' || (node.variable !== 'CURRENT' && node.variable !== 'ROOT')) continue
    if (node.parts.length === 0) return null
    paths.set(node.parts.join('.'), node.parts)
  }
  return [...paths.values()]
}

/** The field paths that an expression names as `"$a.b"`, each once. */
export function expressionPaths(expression: ExpressionNode): ReadonlySet<string> {
  const paths = new Set<string>()
  for (const node of nodesWithin(expression)) {
    if (node.kind !== 'path' || node.variable !== 'CURRENT' || node.parts.length === 0) continue
    paths.add(node.parts.join('.'))
  }
  return paths
}
