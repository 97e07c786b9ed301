import { useEffect, useState } from 'preact/hooks'
import { ask } from '../../api/client.ts'
import { RefusalBox } from '../../parts/refusal-box.tsx'
import { Skeleton } from '../../parts/skeleton.tsx'
import { LinePlot } from '../../plots/line-plot.tsx'
import type { Peak } from '../../plots/peaks.ts'
import { type NamedPattern, stackedPatterns } from './stacked-patterns.ts'

interface PatternPlotProps {
  readonly materials: readonly { readonly id: string; readonly name: string }[]
}

/** Of the radiation that nearly every laboratory has. */
const RADIATION = { radiation: 'CuKa', min: '10', max: '90' }
const RANGE = [10, 90] as const

/** Powder patterns of the materials, one above the other. */
export function PatternPlot({ materials }: PatternPlotProps) {
  const [patterns, setPatterns] = useState<readonly NamedPattern[] | null>(null)
  const [error, setError] = useState<unknown>(null)
  useEffect(() => {
    const end = new AbortController()
    const all = materials.map(async ({ id, name }) => {
      const path = `/materials/${encodeURIComponent(id)}/diffraction`
      const sent = { search: RADIATION, signal: end.signal }
      const { data } = await ask<{ readonly peaks: readonly Peak[] }>('GET', path, sent)
      return { name, peaks: data.peaks }
    })
    Promise.all(all).then(setPatterns, (refusal) => end.signal.aborted || setError(refusal))
    return () => end.abort()
  }, [materials])
  if (error !== null) return <RefusalBox error={error} />
  if (patterns === null) return <Skeleton />
  return (
    <>
      <LinePlot title="Powder patterns" {...stackedPatterns(patterns, RANGE)} />
      <p class="fine">Cu Kα; the numbers at the left are those of the materials, each pattern by its strongest peak.</p>
    </>
  )
}
