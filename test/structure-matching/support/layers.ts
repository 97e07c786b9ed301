import type { Cell } from '../../structure-symmetry/support/supercells.ts'

const PLACES = { A: [0, 0], B: [1 / 3, 2 / 3], C: [2 / 3, 1 / 3] } as const
const EDGE = 3
/** Between two layers of ideal packing. */
const STEP = EDGE * Math.sqrt(2 / 3)

/** Close-packed layers in an order such as ABC; a second element is above each atom, at a quarter of the way to its third next layer. */
export function layered(order: string, elements: readonly string[]): Cell {
  const height = order.length * STEP
  const sites = [...order].flatMap((letter, index) => {
    const [x, y] = PLACES[letter as keyof typeof PLACES]
    return elements.map((element, which) => {
      return { element, fraction: [x, y, (index + 0.75 * which) / order.length] as const }
    })
  })
  const lattice = [
    [EDGE, 0, 0],
    [-EDGE / 2, (EDGE * Math.sqrt(3)) / 2, 0],
    [0, 0, height],
  ] as const
  return { lattice, sites }
}
