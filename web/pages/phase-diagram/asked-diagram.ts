import { SYMBOLS } from '../../../src/page/elements.ts'
import type { DiagramTarget } from './diagram-path.ts'

const PASSED_ON = ['tolerance', 'correction'] as const

/** Reads what the address of the page asks for. */
export function readAskedDiagram(search: URLSearchParams): DiagramTarget {
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
