type Data = Readonly<Record<string, unknown>>

/** An energy that counts as zero. */
export interface Zero {
  readonly name: string
  /** eV. */
  readonly value: number
}

/** Energy by which smearing may put the Fermi energy below full bands, eV. */
const SMEARED = 0.05

/** Zeros that properties of a run name: the valence band maximum where there is a gap, and the Fermi energy. */
export function zerosIn(properties: readonly Data[]): readonly Zero[] {
  const fermi = properties.find(({ name }) => name === 'fermi_energy')?.['value']
  const top = valenceBandMaximum(properties.find(({ name }) => name === 'band_gaps')?.['values'])
  // A maximum above the Fermi energy is that of bands that are not full.
  const isFull = top !== null && (typeof fermi !== 'number' || top <= fermi + SMEARED)
  return [
    ...(!isFull ? [] : [{ name: 'valence band maximum', value: top }]),
    ...(typeof fermi === 'number' ? [{ name: 'Fermi energy', value: fermi }] : []),
  ]
}

function valenceBandMaximum(gaps: unknown): number | null {
  if (!Array.isArray(gaps)) return null
  const open = gaps.filter((gap: Data) => typeof gap['value'] === 'number' && gap['value'] > 0)
  if (open.length < gaps.length) return null
  const tops = open.map((gap: Data) => gap['eigenvalueValence']).filter((top) => typeof top === 'number')
  return tops.length === 0 ? null : Math.max(...tops)
}
