import { isJsonArray, isJsonObject, type Json, ownField } from '../../../kernel/json.ts'
import { nearestName } from '../../../kernel/names.ts'
import type { CallParts, ExpressionNode, LiteralValue } from '../../ast/expression.ts'
import { show } from '../../context.ts'
import type { ExpressionValue } from '../../values/expression-value.ts'
import { ArgumentsInTurn, type CallSite, NamedInTurn } from './arguments.ts'
import { type ExpressionEnvironment, type ExpressionEvaluator, spend } from './environment.ts'
import type { ParseSite } from './expression-context.ts'

/** Meaning of one operator of expressions. What `parse` makes is plain data, which `compile` may get in another thread. */
export interface ExpressionOperator<
  Args extends readonly ExpressionNode[] = readonly ExpressionNode[],
  Constants extends LiteralValue = LiteralValue,
> {
  /** Checks the operand's shape and parses what it has of expressions. */
  parse(operand: Json, site: ParseSite): CallParts<Args, Constants>
  /** Makes the function that is run for each document. */
  compile(args: CompiledArgs<Args>, constants: Constants, site: CallSite): ExpressionEvaluator
}

type CompiledArgs<Args extends readonly ExpressionNode[]> = { readonly [At in keyof Args]: ExpressionEvaluator }

export type One = readonly [ExpressionNode]
export type Two = readonly [ExpressionNode, ExpressionNode]
export type Three = readonly [ExpressionNode, ExpressionNode, ExpressionNode]
export type Several = readonly ExpressionNode[]

/** The operators of one file, by name. */
export type OperatorGroup = Readonly<Record<`$${string}`, ExpressionOperator>>

/** Operation on computed arguments. */
export type Compute<Arguments> = (
  values: Arguments,
  site: CallSite,
  environment: ExpressionEnvironment,
) => ExpressionValue

/** Values of arguments, in their order. */
export type Values = readonly ExpressionValue[]

/** The names of the arguments that are given, in the order of the arguments. */
export type ArgumentNames = readonly string[]

/** An operator over a list of arguments, which it asks for in turn. One argument may stand without brackets. */
export function overArgumentsInTurn(
  least: number,
  most: number,
  compute: Compute<ArgumentsInTurn>,
): ExpressionOperator<Several, null> {
  return {
    parse: (operand, site) => ({ args: parseArguments(operand, site, least, most), constants: null }),
    compile: (args, _, site) => (environment) => {
      spend(environment, 1, site.place)
      return compute(new ArgumentsInTurn(args, site, environment), site, environment)
    },
  }
}

/** An operator over a list of arguments, all of which are computed first. */
export function overArguments(
  least: number,
  most: number,
  compute: Compute<Values>,
): ExpressionOperator<Several, null> {
  return overArgumentsInTurn(least, most, (values, site, environment) => compute([...values], site, environment))
}

export function overOne(compute: Compute<ExpressionValue>): ExpressionOperator<Several, null> {
  return overArgumentsInTurn(1, 1, (values, site, environment) => compute(values.at(0), site, environment))
}

/** An operator over named arguments, `{input: …, chars: …}`, which it asks for in turn; `check` sees them once, as they are parsed. */
export function overNamedInTurn<const Required extends string, const Optional extends string = never>(
  required: readonly Required[],
  optional: readonly Optional[],
  compute: Compute<NamedInTurn<Required | Optional>>,
  check: (nodes: Readonly<Partial<Record<Required | Optional, ExpressionNode>>>, site: ParseSite) => void = () => {},
): ExpressionOperator<Several, ArgumentNames> {
  return {
    parse(operand, site) {
      const json = Object.entries<Json>(readNamed(operand, site, required, optional))
      const nodes = json.map(([name, value]) => [name, site.parse(value, name)] as const)
      check(Object.fromEntries(nodes) as Partial<Record<Required | Optional, ExpressionNode>>, site)
      return { args: nodes.map(([, node]) => node), constants: nodes.map(([name]) => name) }
    },
    compile: (args, names, site) => (environment) => {
      spend(environment, 1, site.place)
      return compute(new NamedInTurn(names, new ArgumentsInTurn(args, site, environment)), site, environment)
    },
  }
}

/** An operator over named arguments, all of which are needed and computed first. */
export function overNamed<const Name extends string>(
  names: readonly Name[],
  compute: Compute<Readonly<Record<Name, ExpressionValue>>>,
): ExpressionOperator<Several, ArgumentNames> {
  return overNamedInTurn(names, [], (values, site, environment) => {
    const named = Object.fromEntries(names.map((name) => [name, values.value(name)]))
    return compute(named as Readonly<Record<Name, ExpressionValue>>, site, environment)
  })
}

/** Reads a list of arguments and checks how many there are. */
export function parseArguments(operand: Json, site: ParseSite, least: number, most: number): readonly ExpressionNode[] {
  const items = isJsonArray(operand) ? operand : [operand]
  if (items.length < least || items.length > most) {
    throw site.refuse(`takes ${countInWords(least, most)}, given ${items.length}`)
  }
  return isJsonArray(operand) ? items.map((item, index) => site.parse(item, index)) : [site.parse(operand)]
}

/** Reads an object of named arguments and checks the names, before any of them is parsed. */
export function readNamed<Required extends string, Optional extends string>(
  operand: Json,
  site: ParseSite,
  required: readonly Required[],
  optional: readonly Optional[],
): Readonly<Record<Required, Json> & Partial<Record<Optional, Json>>> {
  const known: readonly string[] = [...required, ...optional]
  if (!isJsonObject(operand)) {
    throw site.refuse(`takes an object with ${known.join(', ')}, given ${show(operand)}`)
  }
  for (const name of Object.keys(operand)) {
    if (known.includes(name)) continue
    const nearest = nearestName(name, known)
    throw site.refuse(`has no argument ${show(name)}`, nearest === null ? undefined : `Did you mean ${nearest}?`)
  }
  for (const name of required) {
    if (ownField(operand, name) === undefined) throw site.refuse(`lacks the argument ${name}`)
  }
  return operand as unknown as Readonly<Record<Required, Json> & Partial<Record<Optional, Json>>>
}

function countInWords(least: number, most: number): string {
  const noun = most === 1 ? 'argument' : 'arguments'
  if (least === most) return `exactly ${least} ${noun}`
  return most === Number.POSITIVE_INFINITY ? `${least} or more arguments` : `${least} to ${most} arguments`
}
