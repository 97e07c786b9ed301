import type { Json } from '../../../../kernel/json.ts'
import { shorten } from '../../../../structure/formats/common/text.ts'
import type { Vector3 } from '../../../../structure/linear-algebra.ts'
import type { OutputLimits } from '../../../calculation.ts'
import type { KPoints } from '../k-points.ts'
import { type Unused, unusedAt, vectorsOf } from './structure-element.ts'
import { type ElementReader, type Tag, textOf } from './xml-elements.ts'
import { numbersOf, valueIn } from './xml-values.ts'

/** Way of `generation` in which corners of lines are listed, with a number of points for each line. */
const LINES = 'listgenerated'
const MOST_CORNERS = 1000

/** Reader of the k-points, and of how they were made. */
export function kPointsOf(take: (kPoints: KPoints) => void, limits: OutputLimits, unused: Unused): ElementReader {
  const other = unusedAt(unused)
  const input: Record<string, Json> = {}
  const corners: Json[] = []
  const weights: number[] = []
  let points: readonly (Vector3 | null)[] = []
  let way: string | null = null
  const generation = (tag: Tag): ElementReader => {
    way = shorten(tag.attributes.param ?? '')
    input['generation'] = way
    return {
      within: (inner) => {
        const { name } = inner.attributes
        if (inner.name !== 'i' && inner.name !== 'v') return other(inner)
        if (name === undefined && corners.length === MOST_CORNERS) return other(inner)
        return textOf((text) => {
          const value = valueIn(inner, text)
          if (name === undefined) corners.push(value)
          else input[name] = value
        }, other)
      },
      end: () => {},
    }
  }
  const weight: ElementReader = {
    within: () =>
      textOf((text) => {
        if (weights.length < limits.numbers) weights.push(numbersOf(text)?.[0] ?? NaN)
      }, other),
    end: () => {},
  }
  return {
    within: (tag) => {
      const { name } = tag.attributes
      if (tag.name === 'generation') return generation(tag)
      if (name === 'kpointlist') return vectorsOf((rows) => (points = rows), limits.numbers / 3, other)
      return name === 'weights' ? weight : other(tag)
    },
    end: () => {
      const divisions = way === LINES ? undefined : gridOf(input['divisions'])
      const whole = points.filter((point) => point !== null)
      take({
        points: whole.length === points.length ? whole : [],
        weights,
        isLines: way === LINES ? true : way === null ? null : false,
        ...(divisions === undefined ? {} : { grid: divisions }),
        input: corners.length === 0 ? input : { ...input, points: corners },
      })
    },
  }
}

function gridOf(value: Json | undefined): readonly [number, number, number] | undefined {
  const [a, b, c, ...more] = Array.isArray(value) ? value : []
  const areCounts = [a, b, c].every((count) => Number.isInteger(count))
  return areCounts && more.length === 0 ? [a, b, c] : undefined
}
