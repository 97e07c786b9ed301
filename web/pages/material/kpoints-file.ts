import type { Reciprocal } from './reciprocal.ts'

/** The path as VASP reads it in line mode, with so many points on each line. */
export function kpointsFile({ path, points }: Pick<Reciprocal, 'path' | 'points'>, onEachLine: number): string {
  const fractions = new Map(points.map(({ label, fraction }) => [label, fraction.map((x) => x.toFixed(8)).join(' ')]))
  const end = (label: string) => `${fractions.get(label) ?? ''} ! ${label.replace('Γ', 'GAMMA').replace('Σ', 'SIGMA')}`
  const lines = path.flatMap((part) => part.slice(1).map((label, at) => `${end(part[at] ?? '')}\n${end(label)}\n`))
  return [
    `k-path ${path.map((part) => part.join('-')).join('|')}`,
    onEachLine,
    'Line_mode',
    'Reciprocal',
    lines.join('\n'),
  ].join('\n')
}
