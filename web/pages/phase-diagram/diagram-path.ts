import { pagePath } from '../../../src/page/addresses.ts'

/** Elements of one diagram, by what the server makes. */
export const MOST_ELEMENTS = 8

/** What a diagram is asked for. */
export interface DiagramTarget {
  readonly elements: readonly string[]
  /** Null where nothing is said of it. */
  readonly group?: string | null
  /** Other parameters of the API, as they are. */
  readonly others?: Readonly<Record<string, string>>
}

/** Parameters of a diagram, for the page and for the API. */
export function diagramParameters({ elements, group = null, others }: DiagramTarget): Readonly<Record<string, string>> {
  return { elements: elements.join(','), ...(group === null ? {} : { group }), ...others }
}

/** The same with another value of one of the other parameters; none where it is empty. */
export function withTerm(target: DiagramTarget, name: string, value: string): DiagramTarget {
  const { [name]: _, ...others } = target.others ?? {}
  return { ...target, others: value === '' ? others : { ...others, [name]: value } }
}

/** The path of the page of a diagram. */
export function diagramPath(target: DiagramTarget): string {
  const search = new URLSearchParams(diagramParameters(target))
  return `${pagePath('phaseDiagram')}?${search.toString().replaceAll('%2C', ',')}`
}
