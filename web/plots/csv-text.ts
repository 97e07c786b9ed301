/** Rows as CSV. A number that is none leaves its cell empty. */
export function csvText(rows: readonly (readonly (number | string)[])[]): string {
  return `${rows.map((row) => row.map(cellOf).join(',')).join('\n')}\n`
}

function cellOf(value: number | string): string {
  if (typeof value === 'number') return Number.isFinite(value) ? String(value) : ''
  return /[",\n]/.test(value) ? `"${value.replaceAll('"', '""')}"` : value
}
