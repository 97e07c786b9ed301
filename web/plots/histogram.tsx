import { useRef, useState } from 'preact/hooks'
import { rounded } from './scale.ts'

interface HistogramProps {
  readonly label: string
  /** One more than counts. */
  readonly edges: readonly number[]
  readonly counts: readonly number[]
  /** What is chosen; null: no end on that side. */
  readonly min: number | null
  readonly max: number | null
  /** Who draws over bars chooses their range. */
  readonly onChoose: (min: number, max: number) => void
}

const WIDTH = 240
const HEIGHT = 48
const GAP = 1

/** How many records lie in each bin; bars of one width, whatever the bins are. */
export function Histogram({ label, edges, counts, min, max, onChoose }: HistogramProps) {
  const svg = useRef<SVGSVGElement>(null)
  const [drawn, setDrawn] = useState<readonly [number, number] | null>(null)
  const most = Math.max(1, ...counts)
  const width = WIDTH / counts.length

  function binAt({ clientX }: PointerEvent): number {
    const { left, width: shown } = (svg.current as SVGSVGElement).getBoundingClientRect()
    const bin = Math.floor(((clientX - left) / shown) * counts.length)
    return Math.min(counts.length - 1, Math.max(0, bin))
  }

  function end(): void {
    if (drawn !== null) {
      const [first, last] = [Math.min(...drawn), Math.max(...drawn)]
      const span = (edges.at(-1) ?? 1) - (edges[0] ?? 0)
      const [from, to] = [edges[first] ?? 0, edges[last + 1] ?? 0]
      onChoose(first === 0 ? from : rounded(from, span), last === counts.length - 1 ? to : rounded(to, span))
    }
    setDrawn(null)
  }

  function isChosen(bin: number): boolean {
    if (drawn !== null) return bin >= Math.min(...drawn) && bin <= Math.max(...drawn)
    const [from, to] = [edges[bin] ?? 0, edges[bin + 1] ?? 0]
    return (min === null || to > min) && (max === null || from <= max)
  }

  return (
    <svg
      ref={svg}
      class="histogram"
      viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
      preserveAspectRatio="none"
      role="img"
      aria-label={label}
      onPointerDown={(event) => {
        svg.current?.setPointerCapture(event.pointerId)
        setDrawn([binAt(event), binAt(event)])
      }}
      onPointerMove={(event) => drawn !== null && setDrawn([drawn[0], binAt(event)])}
      onPointerUp={end}
      onPointerCancel={() => setDrawn(null)}
    >
      {counts.map((count, bin) => {
        const height = count === 0 ? 0 : Math.max(2, (count / most) * HEIGHT)
        return (
          <rect
            key={bin}
            class={isChosen(bin) ? 'bin' : 'bin out'}
            x={bin * width + GAP / 2}
            y={HEIGHT - height}
            width={Math.max(0.5, width - GAP)}
            height={height}
          />
        )
      })}
    </svg>
  )
}
