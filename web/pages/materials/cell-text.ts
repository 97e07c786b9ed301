/** A number as a table shows it: the digits that matter. */
export function numberText(value: number): string {
  if (Number.isInteger(value) && Math.abs(value) < 1e7) return String(value)
  const text = value.toPrecision(5)
  return text.includes('e') ? text : String(Number(text))
}

/** A value as a table shows it. */
export function cellText(value: unknown): string {
  if (value === undefined || value === null) return ''
  if (typeof value === 'number') return numberText(value)
  if (Array.isArray(value) && value.every((one) => typeof one !== 'object')) return value.join(', ')
  return typeof value === 'string' ? value : JSON.stringify(value)
}
