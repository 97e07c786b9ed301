/** Ends of the classes of energies above the hull, in eV/atom; the last one has none. */
export const CLASS_ENDS = [0.025, 0.05, 0.1, 0.2] as const

/** Number of the class of an energy above the hull. */
export function classAboveHull(energyAboveHull: number): number {
  const at = CLASS_ENDS.findIndex((end) => energyAboveHull <= end)
  return at < 0 ? CLASS_ENDS.length : at
}

/** Classes in words, from the nearest to the hull. */
export const CLASS_WORDS: readonly string[] = [...CLASS_ENDS, null].map((end, at) => {
  const from = CLASS_ENDS[at - 1] ?? 0
  return end === null ? `> ${milli(from)}` : `${milli(from)}–${milli(end)}`
})

function milli(energy: number): string {
  return String(Math.round(energy * 1000))
}
