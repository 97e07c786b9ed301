/** On what a crystal is drawn: what the page's theme has under it. */
export type Theme = 'light' | 'dark'

/** Red, green and blue, 0 to 255. */
export type Rgb = readonly [number, number, number]

export function rgbOf(color: string): Rgb {
  const value = Number.parseInt(color.slice(1), 16)
  return [value >> 16, (value >> 8) & 255, value & 255]
}

export function hexOf(rgb: Rgb): string {
  return `#${rgb.map((part) => Math.round(part).toString(16).padStart(2, '0')).join('')}`
}

/** From one colour towards another, by a share. */
export function mixed(from: Rgb, to: Rgb, share: number): Rgb {
  const part = (i: 0 | 1 | 2): number => from[i] + (to[i] - from[i]) * share
  return [part(0), part(1), part(2)]
}

/** Relative luminance as WCAG 2.2 defines it. */
export function luminance(rgb: Rgb): number {
  const [red, green, blue] = rgb.map((part) => {
    const share = part / 255
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4
  }) as [number, number, number]
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue
}

/** The ratio of contrast as WCAG 2.2 defines it, 1 to 21. */
export function contrast(one: Rgb, other: Rgb): number {
  const [low, high] = [luminance(one), luminance(other)].sort((a, b) => a - b) as [number, number]
  return (high + 0.05) / (low + 0.05)
}

const BLACK: Rgb = [0, 0, 0]
const WHITE: Rgb = [255, 255, 255]

/** Approximate background of each theme. */
export const GROUNDS: Readonly<Record<Theme, Rgb>> = { light: WHITE, dark: [22, 24, 29] }
/** Edges of the cell and outlines of atoms. */
export const INKS: Readonly<Record<Theme, Rgb>> = { light: [60, 66, 76], dark: [168, 176, 188] }

/** For a, b, c. */
export const AXIS_COLORS: Readonly<Record<Theme, readonly string[]>> = {
  light: ['#c62828', '#2e7d32', '#1f5fc4'],
  dark: ['#ff8a80', '#81c784', '#82b1ff'],
}

/** Least contrast of an atom and the ground; its outline has more. */
const LEAST_CONTRAST = 1.4
const STEP = 0.04

/** A colour as it can be told from the ground: hydrogen's white is grey on white, the darkest ones are lighter on a dark ground. */
export function visibleOn(theme: Theme, color: Rgb): Rgb {
  const away = theme === 'light' ? BLACK : WHITE
  let share = 0
  while (contrast(mixed(color, away, share), GROUNDS[theme]) < LEAST_CONTRAST) share += STEP
  return mixed(color, away, share)
}

/** Black or white: what can be read on a colour, at 4.5 to 1 and more. */
export function inkOn(color: Rgb): string {
  return contrast(color, BLACK) >= contrast(color, WHITE) ? '#000000' : '#ffffff'
}
