/** Planes that reflect at one angle, as the server tells them. */
export interface Peak {
  /** In degrees. */
  readonly twoTheta: number
  /** In Å. */
  readonly d: number
  /** Of 100. */
  readonly intensity: number
  readonly reflections: readonly { readonly hkl: readonly number[]; readonly multiplicity: number }[]
}

type DrawnPeak = Pick<Peak, 'twoTheta' | 'intensity'>

/** Which peaks have room for a label, by index: the strongest first, none nearer to another than `room` degrees. */
export function labelledPeaks(peaks: readonly DrawnPeak[], room: number, most: number): ReadonlySet<number> {
  const byStrength = peaks
    .map((_, index) => index)
    .sort((one, other) => (peaks[other]?.intensity ?? 0) - (peaks[one]?.intensity ?? 0))
  const labelled = new Set<number>()
  for (const index of byStrength) {
    if (labelled.size === most) break
    const angle = peaks[index]?.twoTheta ?? 0
    if ([...labelled].every((other) => Math.abs((peaks[other]?.twoTheta ?? 0) - angle) >= room)) labelled.add(index)
  }
  return labelled
}

/** The peak that is nearest to an angle, by index; -1 where there is none. */
export function nearestPeak(peaks: readonly DrawnPeak[], angle: number): number {
  let nearest = -1
  for (const [index, { twoTheta }] of peaks.entries()) {
    if (nearest === -1 || Math.abs(twoTheta - angle) < Math.abs((peaks[nearest]?.twoTheta ?? 0) - angle))
      nearest = index
  }
  return nearest
}

/** Which peak is named after a key; undefined where the key means nothing here. */
export function chosenAfter(key: string, chosen: number | null, count: number): number | null | undefined {
  if (key === 'Escape') return null
  if (count === 0) return undefined
  if (key === 'ArrowRight') return chosen === null ? 0 : Math.min(count - 1, chosen + 1)
  if (key === 'ArrowLeft') return chosen === null ? count - 1 : Math.max(0, chosen - 1)
  if (key === 'Home') return 0
  return key === 'End' ? count - 1 : undefined
}
