import { type Question, useAnswer } from '../../api/use-answer.ts'
import { writes } from '../../app/undo.ts'
import { RefusalBox } from '../../parts/refusal-box.tsx'
import { Skeleton } from '../../parts/skeleton.tsx'
import { type Area, Scatter } from '../../plots/scatter.tsx'
import type { JsonObject, Scalar } from '../../query/conditions.ts'
import type { Asked } from './asked.ts'
import type { Collection } from './collections.ts'
import { chosenField, groupFields } from './field-groups.ts'
import { type KnownField, useFields } from './use-fields.ts'

interface PlotPanelProps {
  readonly collection: Collection
  readonly asked: Asked
  readonly query: JsonObject
  readonly onAxes: (axes: Partial<Asked>) => void
  readonly onChoose: (area: Area) => void
}

interface Points {
  readonly x: readonly number[]
  readonly y: readonly number[]
  readonly color: readonly Scalar[] | null
  readonly records: number
  readonly exact: boolean
}

const MOST_POINTS = 20_000
/** A field whose numbers span more than this is drawn by logarithms. */
const WIDE = 200

/** Two numbers of each record that is found; what is drawn around becomes the query. */
export function PlotPanel({ collection, asked, query, onAxes, onChoose }: PlotPanelProps) {
  const fields = useFields(collection)
  const { x, y, color } = asked
  const body = { query, x, y, color: color === '' ? null : color, limit: MOST_POINTS }
  const question: Question | null =
    x === '' || y === '' ? null : { method: 'POST', path: `/${collection.name}/points`, body }
  const { data: points, error } = useAnswer<Points>(question, writes.value)
  const numeric = (fields ?? []).filter(({ types, min, max }) => types.includes('number') && min !== max)
  const named = (fields ?? []).filter(({ types }) =>
    types.some((type) => ['string', 'boolean', 'number'].includes(type)),
  )
  return (
    <section class="plot" aria-label="Plot">
      <div class="plot-axes">
        <Axis label="x" value={x} fields={numeric} onChange={(path) => onAxes({ x: path })} />
        <Axis label="y" value={y} fields={numeric} onChange={(path) => onAxes({ y: path })} />
        <Axis label="colour" value={color} fields={named} isOptional onChange={(path) => onAxes({ color: path })} />
        <button type="button" class="plain" onClick={() => onAxes({ x: '', y: '', color: '' })}>
          Close the plot
        </button>
      </div>
      {error !== undefined && <RefusalBox error={error} />}
      {error === undefined && points === null && <Skeleton />}
      {points !== null && (
        <>
          <Scatter
            {...points}
            xTitle={axisTitle(fields, x, isWide(points.x))}
            yTitle={axisTitle(fields, y, isWide(points.y))}
            isLogX={isWide(points.x)}
            isLogY={isWide(points.y)}
            onChoose={onChoose}
          />
          <p class="fine">{summaryOf(points)} Draw a rectangle to ask for what lies in it.</p>
        </>
      )}
    </section>
  )
}

function summaryOf({ x, records, exact }: Points): string {
  const shown = `${x.length.toLocaleString()} points of ${records.toLocaleString()} records.`
  return exact ? shown : `${shown} These are a part of them.`
}

/** Title and unit of a field as an axis has them; a scale that is not even says so. */
function axisTitle(fields: readonly KnownField[] | null, path: string, isLog: boolean): string {
  const { title, unit } = chosenField(fields?.find((field) => field.path === path) ?? { path, title: null, unit: null })
  return `${title}${unit === undefined ? '' : ` (${unit})`}${isLog ? ', logarithmic' : ''}`
}

function isWide(numbers: readonly number[]): boolean {
  let least = Number.POSITIVE_INFINITY
  let most = 0
  for (const number of numbers) {
    least = Math.min(least, number)
    most = Math.max(most, number)
  }
  return least > 0 && most / least > WIDE
}

interface AxisProps {
  readonly label: string
  readonly value: string
  readonly fields: readonly KnownField[]
  readonly isOptional?: boolean
  readonly onChange: (path: string) => void
}

function Axis({ label, value, fields, isOptional = false, onChange }: AxisProps) {
  const isMissing = value !== '' && !fields.some(({ path }) => path === value)
  const given = { path: value, types: [], count: 0, min: null, max: null, title: null, unit: null }
  const groups = groupFields(isMissing ? [given, ...fields] : fields)
  return (
    <label class="axis">
      {label}
      <select value={value} onChange={({ currentTarget }) => onChange(currentTarget.value)}>
        {isOptional && <option value="">none</option>}
        {groups.map(({ title, fields: some }) => (
          <optgroup key={title} label={title}>
            {some.map((field) => (
              <option key={field.path} value={field.path}>
                {field.title}
                {field.unit !== undefined && ` (${field.unit})`}
              </option>
            ))}
          </optgroup>
        ))}
      </select>
    </label>
  )
}
