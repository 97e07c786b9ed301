import { useState } from 'preact/hooks'
import { groupWords } from '../../src/page/property-words.ts'
import { DiagramLink } from './diagram-link.tsx'
import { EntryLinks } from './entry-links.tsx'
import { GroupTable } from './group-table.tsx'
import { PropertyData, type ViewOfData, viewOf } from './property-data.tsx'
import { remarkText, type ShownProperty, summaryText } from './shown-properties.ts'
import './properties.css'

interface CardsProps {
  readonly properties: readonly ShownProperty[]
  /** The material whose crystal names the points of a path of bands; null where there is none. */
  readonly materialId: string | null
  /** Elements of the material, for its phase diagram. */
  readonly elements?: readonly string[]
  /** Left out on the page of the job itself. */
  readonly hasJobs?: boolean
}

/** A card for each property: what it is, how much, by what method, and where it comes from. */
export function PropertyCards({ properties, ...rest }: CardsProps) {
  return (
    <div class="property-cards">
      {properties.map((property) => (
        <PropertyCard key={property.entries[0].propertyId ?? property.name} property={property} {...rest} />
      ))}
    </div>
  )
}

type CardProps = Omit<CardsProps, 'properties'> & { readonly property: ShownProperty }

const SHOW: Readonly<Record<ViewOfData, string>> = { plot: 'Show plot', table: 'Show table', json: 'Show data' }
const HIDE: Readonly<Record<ViewOfData, string>> = { plot: 'Hide plot', table: 'Hide table', json: 'Hide data' }

function PropertyCard({ property, materialId, elements = [], hasJobs = true }: CardProps) {
  const [opened, setOpened] = useState<'data' | 'groups' | null>(null)
  const { title, entries } = property
  const [best] = entries
  const view = viewOf(property)
  const toggle = (what: 'data' | 'groups') => setOpened(opened === what ? null : what)
  const show = view === null ? '' : (opened === 'data' ? HIDE : SHOW)[view]
  return (
    <article class={opened === null ? 'property-card' : 'property-card open'} aria-label={title}>
      <h3>
        {title} {entries.length > 1 && <span class="tag">{entries.length} methods</span>}
      </h3>
      <p class="property-value">{summaryText(best)}</p>
      <p class="fine">{remarkText(best)}</p>
      <p class="fine">{best.group === '' ? '' : groupWords(best.group)}</p>
      <p class="property-links">
        {view !== null && (
          <button
            type="button"
            aria-expanded={opened === 'data'}
            aria-label={`${show}: ${title}`}
            onClick={() => toggle('data')}
          >
            {show}
          </button>
        )}
        {entries.length > 1 && (
          <button
            type="button"
            aria-expanded={opened === 'groups'}
            aria-label={`Compare methods: ${title}`}
            onClick={() => toggle('groups')}
          >
            Compare methods
          </button>
        )}
        <DiagramLink name={property.name} elements={elements} group={best.group} />
        <EntryLinks entry={best} title={title} hasJobs={hasJobs} />
      </p>
      {opened === 'groups' && <GroupTable property={property} />}
      {opened === 'data' && <PropertyData property={property} materialId={materialId} />}
    </article>
  )
}
