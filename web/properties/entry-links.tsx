import { recordPath } from '../../src/page/addresses.ts'
import { groupWords } from '../../src/page/property-words.ts'
import { Link } from '../app/router.tsx'
import type { PropertyEntry } from './shown-properties.ts'

interface EntryLinksProps {
  readonly entry: PropertyEntry
  readonly title: string
  readonly hasJobs?: boolean
}

/** Where a value comes from. */
export function EntryLinks({ entry: { jobId, propertyId, group }, title, hasJobs = true }: EntryLinksProps) {
  const of = group === '' ? title : `${title}, ${groupWords(group)}`
  return (
    <>
      {hasJobs && jobId !== null && (
        <Link to={recordPath('jobs', jobId)} aria-label={`Job of ${of}`}>
          Job
        </Link>
      )}
      {propertyId !== null && (
        <Link to={recordPath('properties', propertyId)} aria-label={`Record of ${of}`}>
          Record
        </Link>
      )}
    </>
  )
}
