import { useEffect, useState } from 'preact/hooks'
import { type Question, useAnswer } from '../../api/use-answer.ts'
import { chosenAccount, me } from '../../app/session.ts'
import { writes } from '../../app/undo.ts'
import { Histogram } from '../../plots/histogram.tsx'
import type { Condition, JsonObject, Scalar } from '../../query/conditions.ts'
import { numberText } from './cell-text.ts'
import { PrintedSymbol } from './cell-value.tsx'
import { type Collection, type FacetChoice, facetsOf, OWNER, valueIn } from './collections.ts'
import { isOn, queryWithout, withCondition } from './question.ts'

/** As the server counts them. */
export interface FacetFound {
  readonly path: string
  readonly values?: readonly { readonly value: Scalar; readonly count: number }[]
  readonly distinct?: number | null
  readonly edges?: readonly number[]
  readonly counts?: readonly number[]
}

export interface FacetsFound {
  readonly facets: readonly FacetFound[]
  readonly exact: boolean
}

const SHOWN_VALUES = 12
const BINS = 24
export const ELEMENTS_PATH = 'elements'

/** The counts beside a list: they do not change when its pages are turned. */
export function facetsQuestion(collection: Collection, query: JsonObject | null): Question | null {
  if (query === null) return null
  const elements = collection.hasElements ? [{ path: ELEMENTS_PATH, limit: 118 }] : []
  const asked = [...facetsOf(collection).map(facetOf), ...elements]
  return { method: 'POST', path: `/${collection.name}/facets`, body: { query, facets: asked } }
}

function facetOf({ path, scale }: FacetChoice) {
  return scale === undefined ? { path, limit: SHOWN_VALUES } : { path, bins: BINS, scale }
}

interface FiltersProps {
  readonly collection: Collection
  /** What the search line asks. */
  readonly line: readonly Condition[]
  readonly conditions: readonly Condition[]
  readonly found: FacetsFound | null
  readonly onChange: (conditions: readonly Condition[]) => void
}

/** What there is to choose from, with how many records have it. */
export function Filters({ collection, line, conditions, found, onChange }: FiltersProps) {
  return (
    <div class="filters">
      {facetsOf(collection).map((choice) => (
        <Filter
          key={choice.path}
          collection={collection}
          choice={choice}
          line={line}
          conditions={conditions}
          found={found?.facets.find(({ path }) => path === choice.path) ?? null}
          onChange={onChange}
        />
      ))}
      {found !== null && !found.exact && <p class="fine">Counted for a second: of the first records only.</p>}
    </div>
  )
}

type FilterProps = Omit<FiltersProps, 'found'> & { readonly choice: FacetChoice; readonly found: FacetFound | null }

function Filter({ collection, choice, line, conditions, found, onChange }: FilterProps) {
  const { path, title, unit } = choice
  const own = conditions.find(isOn(path))
  // What else could be chosen, too, once something is.
  const question: Question | null =
    own === undefined
      ? null
      : {
          method: 'POST',
          path: `/${collection.name}/facets`,
          body: { query: queryWithout(line, conditions, path), facets: [facetOf(choice)] },
        }
  const { data } = useAnswer<FacetsFound>(question, writes.value)
  const shown = own === undefined ? found : (data?.facets[0] ?? found)
  const change = (condition: Condition | null) => onChange(withCondition(conditions, isOn(path), condition))
  if (shown === null) return null
  if (shown.values !== undefined && own === undefined && !isChoice(choice, shown.values)) return null
  if (shown.counts !== undefined && shown.counts.length < 2 && own === undefined) return null
  return (
    <fieldset class="filter">
      <legend>
        {title}
        {unit !== undefined && <span class="unit"> {unit}</span>}
      </legend>
      {shown.values === undefined ? (
        <RangeFilter choice={choice} found={shown} own={own} onChange={change} />
      ) : (
        <ValueFilter choice={choice} found={shown} own={own} onChange={change} />
      )}
    </fieldset>
  )
}

/** How many records each owner has, where the account that is acted in is not among those that were counted. */
export function ownersWithout(account: string | undefined, found: FacetsFound | null): FacetFound | null {
  const owners = found?.facets.find(({ path }) => path === OWNER)
  return owners?.values?.some(({ value }) => value === account) === false ? owners : null
}

/** The short name of the account that is acted in, as records have it. */
export function ownSlug(): string | undefined {
  const id = chosenAccount.value ?? me.value?.user.entity.defaultAccountId
  return me.value?.accounts.find(({ entity }) => entity._id === id)?.entity.slug
}

function isChoice({ isFreeText, hidesAlone }: FacetChoice, values: NonNullable<FacetFound['values']>): boolean {
  if (values.length < (hidesAlone ? 2 : 1)) return false
  return isFreeText !== true || values.some(({ count }) => count > 1)
}

interface OneFilterProps {
  readonly found: FacetFound
  readonly own: Condition | undefined
  readonly onChange: (condition: Condition | null) => void
}

function ValueFilter({ choice, found, own, onChange }: OneFilterProps & { readonly choice: FacetChoice }) {
  const { path } = choice
  const chosen = own?.kind === 'values' ? own.values : []
  const { values = [], distinct = 0 } = found
  const most = Math.max(1, ...values.map(({ count }) => count))
  function toggle(value: Scalar): void {
    const next = chosen.includes(value) ? chosen.filter((one) => one !== value) : [...chosen, value]
    onChange(next.length === 0 ? null : { kind: 'values', path, values: next })
  }
  return (
    <>
      {values.map(({ value, count }) => (
        <label key={String(value)} class="facet-value" title={valueIn(choice, value)}>
          <input type="checkbox" checked={chosen.includes(value)} onChange={() => toggle(value)} />
          <span class="facet-name">
            <PrintedSymbol path={path} text={valueIn(choice, value)} number={null} />
            {path === OWNER && value === ownSlug() && <span class="unit"> (mine)</span>}
          </span>
          <span class="facet-bar" style={{ inlineSize: `${(count / most) * 3}rem` }} />
          <span class="facet-count">{count.toLocaleString()}</span>
        </label>
      ))}
      {distinct !== null && distinct > values.length && (
        <p class="fine">and {(distinct - values.length).toLocaleString()} more</p>
      )}
    </>
  )
}

function RangeFilter({ choice, found, own, onChange }: OneFilterProps & { readonly choice: FacetChoice }) {
  const { path, title } = choice
  const { edges = [], counts = [] } = found
  const [min, max] = own?.kind === 'range' ? [own.min, own.max] : [null, null]
  const choose = (low: number | null, high: number | null) =>
    onChange(low === null && high === null ? null : { kind: 'range', path, min: low, max: high })
  const [least, most] = [edges[0], edges.at(-1)]
  const label = `${title}: ${counts.length} bins from ${numberText(least ?? 0)} to ${numberText(most ?? 0)}`
  return (
    <>
      {counts.length > 1 && (
        <Histogram label={label} edges={edges} counts={counts} min={min} max={max} onChoose={choose} />
      )}
      <div class="range">
        <Bound label={`${title} at least`} value={min} otherwise={least} onChange={(value) => choose(value, max)} />
        <span aria-hidden="true">–</span>
        <Bound label={`${title} at most`} value={max} otherwise={most} onChange={(value) => choose(min, value)} />
      </div>
    </>
  )
}

interface BoundProps {
  readonly label: string
  readonly value: number | null
  readonly otherwise: number | undefined
  readonly onChange: (value: number | null) => void
}

/** One end of a range: taken when it is left, or with Enter. */
function Bound({ label, value, otherwise, onChange }: BoundProps) {
  const [typed, setTyped] = useState(value === null ? '' : String(value))
  useEffect(() => setTyped(value === null ? '' : String(value)), [value])
  function take(): void {
    const number = typed.trim() === '' ? null : Number(typed)
    if (number !== value && !Number.isNaN(number)) onChange(number)
  }
  return (
    <input
      inputMode="decimal"
      aria-label={label}
      placeholder={otherwise === undefined ? '' : numberText(otherwise)}
      value={typed}
      onInput={({ currentTarget }) => setTyped(currentTarget.value)}
      onBlur={take}
      onKeyDown={({ key }) => key === 'Enter' && take()}
    />
  )
}
