import type { ComponentChildren } from 'preact'
import type { PageAddress } from '../../../src/page/addresses.ts'
import { groupWords, propertyTitle } from '../../../src/page/property-words.ts'
import { type PropertyRecord, shownRecords, summaryText } from '../../properties/shown-properties.ts'
import { NamesOfRecords, RecordLinks } from '../jobs/names-of-records.tsx'
import type { CellProps, Collection, Row } from '../materials/collections.ts'
import { ListPage } from '../materials/materials-page.tsx'

const JOB = 'source.info.jobId'

const PROPERTIES: Collection = {
  name: 'properties',
  title: 'Properties',
  one: 'property',
  columns: [
    { path: 'name', title: 'Property', fields: ['name', 'data.name'] },
    { path: 'summary.value', title: 'Value', fields: ['summary'] },
    { path: 'exabyteId', title: 'Material' },
    { path: 'group', title: 'Method' },
    { path: JOB, title: 'Job', isMinor: true },
    { path: 'createdAt', title: 'Created', isMinor: true },
  ],
  facets: [
    { path: 'data.name', title: 'Property', wordsOf: propertyTitle },
    { path: 'group', title: 'Method', wordsOf: groupWords },
    { path: 'isBest', title: 'Best of its material', wordsOf: (value) => (value === 'true' ? 'best' : 'not the best') },
    { path: 'tags', title: 'Tags' },
  ],
  hasElements: false,
  searched: 'Words, field > 3 or {query}',
  words: ['data.name'],
  titleOf,
  cell: PropertyCell,
  around: NamesOfMaterialsAndJobs,
}

/** What is known of a name; a name that somebody gave it goes before. */
function titleOf(record: Row): string {
  const { name } = readProperty(record).data
  const own = record['name']
  return typeof own === 'string' && own !== '' && own !== name ? own : propertyTitle(name)
}

/** The list of properties. */
export function PropertiesPage({ address }: { readonly address: PageAddress }) {
  return <ListPage address={address} collection={PROPERTIES} />
}

function NamesOfMaterialsAndJobs({
  records,
  children,
}: {
  readonly records: readonly Row[]
  readonly children: ComponentChildren
}) {
  const read = records.map(readProperty)
  return (
    <NamesOfRecords
      materials={read.flatMap(materialsIn)}
      jobs={read.flatMap(({ source }) => source?.info?.jobId ?? [])}
    >
      {children}
    </NamesOfRecords>
  )
}

function PropertyCell({ path, record, otherwise }: CellProps) {
  const property = readProperty(record)
  const jobId = property.source?.info?.jobId
  if (path === 'summary.value') return <ValueText property={property} />
  if (path === 'exabyteId') return <RecordLinks collection="materials" ids={materialsIn(property)} />
  if (path === 'group') return <>{property.group === undefined ? '' : groupWords(property.group)}</>
  if (path === JOB) return jobId === undefined ? null : <RecordLinks collection="jobs" ids={[jobId]} />
  return <>{otherwise}</>
}

function ValueText({ property }: { readonly property: PropertyRecord }) {
  const [shown] = shownRecords([property])
  return <>{shown === undefined ? '' : summaryText(shown.entries[0])}</>
}

function materialsIn({ exabyteId = [] }: PropertyRecord): readonly string[] {
  return [exabyteId].flat()
}

/** A property as the list has it, which may have lost its data to a projection. */
function readProperty(record: Row): PropertyRecord {
  const { data } = record
  const name = typeof data === 'object' && data !== null && 'name' in data ? String(data.name) : String(record['name'])
  return { ...record, _id: String(record['_id']), data: { name } }
}
