import type { RecordKind } from '../../records/record-kind.ts'
import { pascalCase } from './document.ts'
import type { DescribedRoute } from './operation-html.ts'

/** Operations under a heading. */
export interface Group {
  readonly title: string
  readonly operations: readonly Shown[]
}

/** An operation that stands for those of other kinds that are alike. */
interface Shown {
  readonly route: DescribedRoute
  /** Collections of the other kinds, each with the id of its operation. */
  readonly alike: string
}

/** The heading over what all kinds have. */
export const RECORDS = 'Records'

/** Puts operations under headings, in order: of what all kinds have, that of the chosen one, and beside it what one kind alone has. */
export function groupsOf(
  routes: readonly DescribedRoute[],
  kinds: readonly RecordKind[],
  chosen: RecordKind,
): readonly Group[] {
  const words = new Set(kinds.flatMap(({ collection, name }) => [collection, name]))
  const alike = grouped(routes, ({ method, path }) => {
    const steps = path.split('/').map((step) => (words.has(step) ? '*' : step))
    return `${method} ${steps.join('/')}`
  })
  const shown = [...alike.values()].map((all) => shownOf(all, kinds, chosen))
  const tags = new Set(kinds.map(({ collection }) => pascalCase(collection)))
  const titled = grouped(shown, ({ route: { operation } }) =>
    tags.has(operation.tag) ? RECORDS : inWords(operation.tag),
  )
  return [...titled].map(([title, operations]) => ({ title, operations }))
}

/** Groups values by a name that each has, in the order in which the names come. */
function grouped<Value>(values: readonly Value[], nameOf: (value: Value) => string): ReadonlyMap<string, Value[]> {
  const groups = new Map<string, Value[]>()
  for (const value of values) {
    const group = groups.get(nameOf(value))
    if (group === undefined) groups.set(nameOf(value), [value])
    else group.push(value)
  }
  return groups
}

function shownOf(all: readonly DescribedRoute[], kinds: readonly RecordKind[], chosen: RecordKind): Shown {
  const kindOf = ({ path }: DescribedRoute) => {
    const steps = path.split('/')
    return kinds.find(({ collection, name }) => steps.includes(collection) || steps.includes(name))
  }
  const route = all.find((one) => kindOf(one) === chosen) ?? (all[0] as DescribedRoute)
  const others = all.filter((one) => one !== route)
  return { route, alike: others.map((one) => `${kindOf(one)?.collection} ${one.operation.id}`).join(' ') }
}

/** Writes `BankMaterials` as people do. */
function inWords(name: string): string {
  return name.replaceAll(/(?<=[a-z])([A-Z])/g, (_, letter: string) => ` ${letter.toLowerCase()}`)
}
