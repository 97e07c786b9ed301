const UNITS = ['bytes', 'kB', 'MB', 'GB', 'TB']

/** Size of a file as people read it, by thousands. */
export function bytesText(bytes: number): string {
  const power = bytes < 1000 ? 0 : Math.min(UNITS.length - 1, Math.floor(Math.log10(bytes) / 3))
  const text = power === 0 ? String(bytes) : String(Number((bytes / 1000 ** power).toPrecision(3)))
  return `${text} ${bytes === 1 ? 'byte' : UNITS[power]}`
}
