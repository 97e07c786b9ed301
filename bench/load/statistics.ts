/** The value below which a share of the samples lies, by nearest rank. */
export function percentile(samples: readonly number[], share: number): number {
  if (samples.length === 0) return Number.NaN
  const sorted = [...samples].sort((a, b) => a - b)
  return sorted[Math.min(sorted.length - 1, Math.max(0, Math.ceil(share * sorted.length) - 1))] as number
}

export function median(samples: readonly number[]): number {
  const sorted = [...samples].sort((a, b) => a - b)
  const middle = sorted.length >> 1
  if (sorted.length % 2 === 1) return sorted[middle] as number
  return ((sorted[middle - 1] ?? Number.NaN) + (sorted[middle] ?? Number.NaN)) / 2
}

/** How far apart the rounds are: largest less smallest, as a share of the median. */
export function spread(samples: readonly number[]): number {
  if (samples.length < 2) return 0
  return (Math.max(...samples) - Math.min(...samples)) / median(samples)
}
