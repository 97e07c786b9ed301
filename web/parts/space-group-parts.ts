/** A piece of a Hermann-Mauguin symbol: `bar` has a line above it, `screw` stands below the line. */
export interface SymbolPart {
  readonly text: string
  readonly kind: 'plain' | 'letter' | 'bar' | 'screw'
}

/**
 * Takes a symbol without spaces apart (`P63/mmc`, `Fd-3m`). Which digits belong to a screw axis does not follow from the text alone: `P4212` has
 * an axis 4 and one 2₁, `P4122` has 4₁ and 2. The number of the group tells the family, and with it what may stand where; without it all digits
 * stay on the line.
 */
export function spaceGroupParts(symbol: string, number: number | null): readonly SymbolPart[] {
  const tokens = tokensOf(symbol, number)
  return tokens.map((token): SymbolPart => {
    if (token.startsWith('-')) return { text: token.slice(1), kind: 'bar' }
    if (token.startsWith('_')) return { text: token.slice(1), kind: 'screw' }
    return { text: token, kind: /[a-zA-Z]/.test(token) ? 'letter' : 'plain' }
  })
}

function tokensOf(symbol: string, number: number | null): readonly string[] {
  const [lattice = '', ...rest] = symbol
  const text = rest.join('')
  const marked = text.includes('_') || number === null ? text : withScrews(text, number)
  return [lattice, ...(marked.match(/-\d|_\d|\d|[a-z]|\//g) ?? [])]
}

/** Writes `_` before the digits that make an axis a screw axis. */
function withScrews(text: string, number: number): string {
  if (number < 75) return text.replace(/21/g, '2_1')
  const [, axis = '', digits = '', after = ''] = /^(-?[2346]?)(\d*)(.*)$/.exec(text) ?? []
  const isFirst = isScrew({ axis, digits, after, number })
  const others = isFirst ? digits.slice(1) : digits
  // In tetragonal groups the second axis may be one, too; elsewhere a 1 stands for no axis at all.
  const second = number < 143 ? others.replace(/21/, '2_1') : others
  return `${axis}${isFirst ? `_${digits.slice(0, 1)}` : ''}${second}${after}`
}

interface FirstAxis {
  readonly axis: string
  /** The digits behind it. */
  readonly digits: string
  readonly after: string
  readonly number: number
}

function isScrew({ axis, digits, after, number }: FirstAxis): boolean {
  if (digits === '' || axis.startsWith('-')) return false
  if (number < 143) return !['22', '212'].includes(digits)
  if (number < 168) return after === '' && !['12', '21'].includes(digits) && !R_GROUPS.has(number)
  if (number < 195) return digits !== '22'
  return digits !== (axis === '2' ? '3' : '32')
}

/** Trigonal groups of the rhombohedral lattice have no screw axis in their symbol: `R32`. */
const R_GROUPS: ReadonlySet<number> = new Set([146, 148, 155, 160, 161, 166, 167])
