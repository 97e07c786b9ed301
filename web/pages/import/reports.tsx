import { pagePath } from '../../../src/page/addresses.ts'
import { Link } from '../../app/router.tsx'
import type { Report } from './import-item.ts'

/** What became of a file: of one structure with the way to it, of several how many of each. */
export function storedWords(reports: readonly Report[]) {
  const [only, ...others] = reports
  if (only !== undefined && others.length === 0) return <Outcome report={only} />
  const set = reports.find(({ frames }) => frames !== undefined)
  const of = reports.filter(({ frames }) => frames === undefined)
  const counts = (['stored', 'skipped', 'refused'] as const).flatMap((outcome) => {
    const count = of.filter((report) => report.outcome === outcome).length
    return count === 0 ? [] : [`${count} ${WORDS[outcome]}`]
  })
  return (
    <>
      {counts.join(', ')}
      {set !== undefined && (
        <>
          {' in '}
          <Outcome report={set} />
        </>
      )}
    </>
  )
}

const WORDS = { stored: 'stored', skipped: 'there already', refused: 'refused' } as const

/** A line for each file; of the structures of a set those that are no members have one. */
export function Reports({ reports }: { readonly reports: readonly Report[] }) {
  const shown = reports.filter(({ frame, outcome }) => frame === undefined || outcome !== 'stored')
  if (reports.length < 2) return null
  return (
    <ul class="import-reports">
      {shown.map((report) => (
        <li key={`${report.file}#${report.frame ?? ''}`}>
          {`${report.file}${report.frame === undefined ? '' : ` #${report.frame}`}: `}
          <Outcome report={report} />
        </li>
      ))}
    </ul>
  )
}

function Outcome({ report: { outcome, _id = '', frames, error } }: { readonly report: Report }) {
  if (outcome === 'refused') return <span class="state failed">refused: {error?.message}</span>
  if (frames !== undefined) return <Link to={pagePath('set', { id: _id })}>a set of {frames} structures</Link>
  return (
    <>
      {outcome === 'stored' ? 'Stored as ' : 'There already: '}
      <Link to={pagePath('material', { id: _id })}>{_id}</Link>
    </>
  )
}
