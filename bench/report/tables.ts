import type { Figure } from './figures.ts'

export function section(title: string, body: string): string {
  return `## ${title}\n\n${body}`
}

export function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]): string => `| ${cells.join(' | ')} |`
  return [line(head), line(head.map(() => '---')), ...rows.map(line)].join('\n')
}

export function percent(share: number): string {
  return `${(share * 100).toFixed(0)} %`
}

/** Three significant digits; more would be noise. */
export function round(value: number): string {
  return Math.abs(value) >= 100 ? value.toFixed(0) : String(Number(value.toPrecision(3)))
}

export function presentRatio(figure: Figure | undefined): string {
  return figure === undefined ? '–' : `${round(figure.value)}×`
}

/** Half the distance between the best and the worst round. */
export function noiseOf(figure: Figure | null | undefined): string {
  return figure === null || figure === undefined || figure.noise === null ? '' : `± ${percent(figure.noise / 2)}`
}
