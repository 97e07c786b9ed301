import { useEffect } from 'preact/hooks'
import type { PageAddress } from '../../../src/page/addresses.ts'
import { reading, useAnswer } from '../../api/use-answer.ts'
import { announce } from '../../app/announce.ts'
import { Link } from '../../app/router.tsx'
import { writes } from '../../app/undo.ts'
import { Empty } from '../../parts/empty.tsx'
import { PageTitle } from '../../parts/page-title.tsx'
import { Skeleton } from '../../parts/skeleton.tsx'
import { readAskedDiagram } from './asked-diagram.ts'
import { DiagramFigure } from './diagram-figure.tsx'
import { DiagramForm } from './diagram-form.tsx'
import { diagramParameters, diagramPath } from './diagram-path.ts'
import { EntriesTable } from './entries-table.tsx'
import { LeftOutList } from './left-out.tsx'
import type { PhaseDiagram } from './phase-diagram.ts'
import { RefusedDiagram } from './refused-diagram.tsx'
import { useEnergyCounts } from './use-energy-counts.ts'
import './phase-diagram.css'

/** Which materials of some elements are stable, by the energies that there are. */
export function PhaseDiagramPage({ address }: { readonly address: PageAddress }) {
  const asked = readAskedDiagram(address.search)
  const isAsked = asked.elements.length > 0
  const { data, error } = useAnswer<PhaseDiagram>(
    reading(isAsked ? '/phase-diagram' : null, diagramParameters(asked)),
    writes.value,
  )
  // An answer stays until the next one is there.
  const diagram = isAsked && error === undefined ? data : null
  const title = isAsked ? `Phase diagram of ${asked.elements.join('–')}` : 'Phase diagrams'
  useEffect(() => {
    document.title = `${title} · Quarry`
  }, [title])
  useEffect(() => {
    if (diagram !== null) announce(summaryOf(diagram))
  }, [diagram])
  return (
    <section class="phase-diagram">
      <PageTitle help="phaseDiagram">
        {isAsked ? (
          <>
            Phase diagram of <span>{asked.elements.join('–')}</span>
          </>
        ) : (
          title
        )}
      </PageTitle>
      <DiagramForm asked={asked} diagram={diagram} />
      {!isAsked && <Systems />}
      {isAsked && error !== undefined && <RefusedDiagram error={error} asked={asked} />}
      {isAsked && error === undefined && data === null && <Skeleton lines={10} />}
      {diagram !== null && (
        <>
          <DiagramFigure key={diagram.elements.join()} diagram={diagram} />
          <h2 id="phase-entries" tabIndex={-1}>
            {summaryOf(diagram)}
          </h2>
          <EntriesTable entries={diagram.entries} />
          <LeftOutList diagram={diagram} />
        </>
      )}
    </section>
  )
}

function summaryOf({ entries }: PhaseDiagram): string {
  const stable = entries.filter(({ isStable }) => isStable).length
  return `${stable} stable of ${entries.length.toLocaleString()} ${entries.length === 1 ? 'material' : 'materials'}`
}

const MOST_SYSTEMS = 100

/** Systems that have energies, to choose from. */
function Systems() {
  const counts = useEnergyCounts('chemicalSystem', MOST_SYSTEMS)
  if (counts === null) return <Skeleton />
  const systems = [...counts].filter(([system]) => system.includes('-'))
  if (systems.length === 0)
    return (
      <Empty>
        <p>
          A diagram is made of total energies, of compounds and of each element alone, by one method. There is no
          compound with one yet: <Link to="/import">import calculations</Link>, or create properties.
        </p>
      </Empty>
    )
  return (
    <>
      <h2>Systems with energies</h2>
      <ul class="phase-systems">
        {systems.map(([system, count]) => (
          <li key={system}>
            <Link to={diagramPath({ elements: system.split('-') })}>{system}</Link>{' '}
            <span class="fine">{count.toLocaleString()}</span>
          </li>
        ))}
      </ul>
    </>
  )
}
