import { pagePath } from '../../../src/page/addresses.ts'
import { SYMBOLS } from '../../../src/page/elements.ts'

/** What the address of the page asks for. */
export interface AskedDiagram {
  readonly elements: readonly string[]
  /** Null where nothing is said of it. */
  readonly group: string | null
  /** Other parameters of the API, as they are. */
  readonly others: Readonly<Record<string, string>>
}

/** Elements of one diagram, by what the server makes. */
export const MOST_ELEMENTS = 8

const PASSED_ON = ['tolerance', 'correction'] as const

export function readAskedDiagram(search: URLSearchParams): AskedDiagram {
  const others = PASSED_ON.flatMap((name) => {
    const value = search.get(name)
    return value === null ? [] : [[name, value] as const]
  })
  return {
    elements: (search.get('elements') ?? '')
      .split(',')
      .map((symbol) => symbol.trim())
      .filter((symbol) => symbol !== ''),
    group: search.get('group'),
    others: Object.fromEntries(others),
  }
}

/** Parameters of a diagram, for the page and for the API. */
export function diagramParameters({ elements, group, others }: AskedDiagram): Readonly<Record<string, string>> {
  return { elements: elements.join(','), ...(group === null ? {} : { group }), ...others }
}

/** The path of the page of a diagram. */
export function diagramPath(asked: Partial<AskedDiagram> & Pick<AskedDiagram, 'elements'>): string {
  const search = new URLSearchParams(diagramParameters({ group: null, others: {}, ...asked }))
  return `${pagePath('phaseDiagram')}?${search.toString().replaceAll('%2C', ',')}`
}

/** Elements as somebody types them: `Li, Fe, O`, `Li-Fe-O` or `LiFeO`. What is none is kept, for the server to say so. */
export function readElements(typed: string): readonly string[] {
  const parts = typed.split(/[\s,;–-]+/).filter((part) => part !== '')
  return [...new Set(parts.flatMap((part) => (SYMBOLS.has(part) ? [part] : (symbolsIn(part) ?? [part]))))]
}

/** Symbols of a formula without numbers; null where it is none. */
function symbolsIn(text: string): readonly string[] | null {
  const symbols = text.match(/[A-Z][a-z]?/g) ?? []
  return symbols.join('') === text.replaceAll(/[\d.]/g, '') &&
    symbols.every((symbol) => SYMBOLS.has(symbol)) &&
    symbols.length > 0
    ? symbols
    : null
}
