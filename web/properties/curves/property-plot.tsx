import { useMemo, useState } from 'preact/hooks'
import { Choice } from '../../parts/choice.tsx'
import { LinePlot } from '../../plots/line-plot.tsx'
import type { PropertyRecord } from '../shown-properties.ts'
import { bandPlot, pointsIn } from './band-structure.ts'
import { convergencePlot, followedIn } from './convergence.ts'
import { densityPlot } from './density-of-states.ts'
import { spectrumPlot } from './spectrum.ts'
import { usePathNames } from './use-path-names.ts'
import { useZeros } from './use-zeros.ts'

interface PlotProps {
  readonly record: PropertyRecord
  readonly title: string
  readonly materialId: string | null
}

/** Curves of a property, drawn by what its data are. */
export function PropertyPlot(props: PlotProps) {
  const { data } = props.record
  if (data['xDataArray'] !== undefined)
    return pointsIn(data['xDataArray']) === null && !/band|dispersion/.test(data.name) ? (
      <Density {...props} />
    ) : (
      <Bands {...props} />
    )
  return Array.isArray(data['data']) ? <Convergence {...props} /> : <Spectrum {...props} />
}

function Bands({ record, title, materialId }: PlotProps) {
  const { zeros, choice } = useZeros(record)
  const { metric, nameOf } = usePathNames(materialId)
  const zero = zeros.find(({ name }) => name === choice.chosen) ?? null
  const model = useMemo(() => bandPlot(record.data, { zero, metric, nameOf }), [record, zero, metric, nameOf])
  return (
    <>
      <Choice {...choice} />
      <LinePlot title={title} {...model} />
    </>
  )
}

function Density({ record, title }: PlotProps) {
  const { zeros, choice } = useZeros(record)
  const zero = zeros.find(({ name }) => name === choice.chosen) ?? null
  const model = useMemo(() => densityPlot(record.data, zero), [record, zero])
  return (
    <>
      <Choice {...choice} />
      <LinePlot title={title} {...model} />
    </>
  )
}

const AS_IT_IS = 'as it is'
const DISTANCE = 'distance from the last'

function Convergence({ record, title }: PlotProps) {
  const followed = useMemo(() => followedIn(record.data), [record])
  const [quantity, setQuantity] = useState(0)
  const [scale, setScale] = useState(AS_IT_IS)
  const one = followed[quantity] ?? followed[0]
  const model = useMemo(() => one && convergencePlot(one, scale === DISTANCE), [one, scale])
  if (model === undefined) return <p>No step is told of.</p>
  return (
    <>
      <Choice
        legend="Quantity"
        choices={followed.map((each) => each.title)}
        chosen={one?.title ?? ''}
        onChoose={(chosen) => setQuantity(followed.findIndex((each) => each.title === chosen))}
      />
      <Choice legend="Shown" choices={[AS_IT_IS, DISTANCE]} chosen={scale} onChoose={setScale} />
      <LinePlot title={title} {...model} />
    </>
  )
}

function Spectrum({ record, title }: PlotProps) {
  const model = useMemo(() => spectrumPlot(record.data), [record])
  return <LinePlot title={title} {...model} />
}
