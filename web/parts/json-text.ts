/** A line that is longer is broken. */
const WIDTH = 88

/**
 * Writes JSON for people: what fits on a line stays on it, so that a coordinate is one line and not five.
 */
export function formatJson(value: unknown, indent = ''): string {
  const line = JSON.stringify(value)
  if (typeof value !== 'object' || value === null || (line.length + indent.length <= WIDTH && isFlat(value)))
    return line
  const inner = `${indent}  `
  const parts = Array.isArray(value)
    ? value.map((item) => formatJson(item, inner))
    : Object.entries(value).map(([key, item]) => `${JSON.stringify(key)}: ${formatJson(item, inner)}`)
  const [open, close] = Array.isArray(value) ? '[]' : '{}'
  return parts.length === 0 ? `${open}${close}` : `${open}\n${inner}${parts.join(`,\n${inner}`)}\n${indent}${close}`
}

/** Whether at most one level of arrays lies below, as in `{"id":0,"value":[0,0,0]}`. */
function isFlat(value: object): boolean {
  const isDeep = (item: unknown) => typeof item === 'object' && item !== null
  return Object.values(value).every((item) => !isDeep(item) || !Object.values(item).some(isDeep))
}
