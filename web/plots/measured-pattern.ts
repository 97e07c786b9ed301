/** A measured powder pattern: angles in degrees, and intensities of which the strongest is 100. */
export interface MeasuredPattern {
  readonly name: string
  readonly points: readonly (readonly [twoTheta: number, intensity: number])[]
}

/** As many points as any instrument gives; what is longer is another kind of file. */
const MOST_POINTS = 200_000
const NUMBER = /[-+]?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?/g

/**
 * Reads two columns, 2θ and intensity, however they are parted; lines that do not begin with a number are remarks.
 * @throws {Error} In words for people.
 */
export function readMeasuredPattern(name: string, text: string): MeasuredPattern {
  const points: [number, number][] = []
  for (const line of text.split(/\r\n|\r|\n/)) {
    if (!/^\s*[-+.\d]/.test(line)) continue
    const [angle, intensity] = (line.match(NUMBER) ?? []).map(Number)
    if (angle === undefined || intensity === undefined || angle < 0 || angle > 180) continue
    points.push([angle, intensity])
    if (points.length > MOST_POINTS) throw new Error(`${name} has more than ${MOST_POINTS} points.`)
  }
  if (points.length < 2) {
    throw new Error(`${name} has no pattern: each line should have an angle 2θ in degrees and an intensity.`)
  }
  points.sort(([one], [other]) => one - other)
  const least = points.reduce((found, [, intensity]) => Math.min(found, intensity), Number.POSITIVE_INFINITY)
  const most = points.reduce((found, [, intensity]) => Math.max(found, intensity), Number.NEGATIVE_INFINITY)
  const height = most - Math.max(0, least) || 1
  return {
    name,
    points: points.map(([angle, intensity]) => [angle, (100 * (intensity - Math.max(0, least))) / height]),
  }
}

/** The lowest and highest points within each of so many parts of a range: all that can be seen of a curve at that width. */
export function thinned(
  points: MeasuredPattern['points'],
  [least, most]: readonly [number, number],
  parts: number,
): MeasuredPattern['points'] {
  const shown = points.filter(([angle]) => angle >= least && angle <= most)
  if (shown.length <= 2 * parts) return shown
  const extremes: (readonly [low: number, high: number])[] = []
  for (const [index, [angle, intensity]] of shown.entries()) {
    const part = Math.min(parts - 1, Math.floor(((angle - least) / (most - least)) * parts))
    const [low, high] = extremes[part] ?? [index, index]
    extremes[part] = [intensity < heightAt(shown, low) ? index : low, intensity > heightAt(shown, high) ? index : high]
  }
  const kept = extremes.flatMap(([low, high]) => (low === high ? [low] : [Math.min(low, high), Math.max(low, high)]))
  return kept.flatMap((index) => shown.slice(index, index + 1))
}

function heightAt(points: MeasuredPattern['points'], index: number): number {
  return points[index]?.[1] ?? 0
}
