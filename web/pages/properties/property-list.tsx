import type { ComponentChildren } from 'preact'
import { groupWords, propertyTitle } from '../../../src/page/property-words.ts'
import { NamesOfRecords, RecordLinks } from '../../parts/names-of-records.tsx'
import { type PropertyRecord, shownRecords, summaryText } from '../../properties/shown-properties.ts'
import type { CellProps, Collection, Row } from '../materials/collections.ts'
import { titleOf } from '../property/title-of-property.ts'

const JOB = 'source.info.jobId'

/** The list of properties. */
export const PROPERTIES: Collection = {
  name: 'properties',
  title: 'Properties',
  one: 'property',
  columns: [
    { path: 'name', title: 'Property', fields: ['name', 'data.name'] },
    { path: 'summary.value', title: 'Value', fields: ['summary', 'caveat'] },
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
  isMadeByHand: true,
  searched: 'Words, field > 3 or {query}',
  words: ['data.name'],
  titleOf,
  help: 'properties',
  isWhole: true,
  cell: PropertyCell,
  around: NamesOfMaterialsAndJobs,
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
      ids={{ materials: read.flatMap(materialsIn), jobs: read.flatMap(({ source }) => source?.info?.jobId ?? []) }}
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
  if (shown === undefined) return null
  return (
    <>
      {summaryText(shown.entries[0])}
      {property.caveat !== undefined && <span title={property.caveat}> (with a caveat)</span>}
    </>
  )
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
