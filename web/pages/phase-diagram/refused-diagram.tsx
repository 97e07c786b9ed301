import { Refusal } from '../../api/client.ts'
import { Link } from '../../app/router.tsx'
import { RefusalBox } from '../../parts/refusal-box.tsx'
import { type DiagramTarget, diagramPath } from './diagram-path.ts'
import type { EnergyGroup } from './phase-diagram.ts'
import { energyGroupWords } from './phase-words.ts'

interface RefusedProps {
  readonly error: unknown
  readonly asked: DiagramTarget
}

/** Why there is no diagram, in the words of the server, and what leads to one. */
export function RefusedDiagram({ error, asked }: RefusedProps) {
  const { groups, missing } = error instanceof Refusal ? error.data : {}
  const hasGroups = Array.isArray(groups) && groups.length > 0
  // Who has named no method has done nothing wrong: there is a choice.
  const isChoice = hasGroups && (asked.group ?? null) === null
  return (
    <>
      {!isChoice && <RefusalBox error={error} />}
      {hasGroups && <Groups groups={groups} asked={asked} />}
      {Array.isArray(missing) && <Missing missing={missing.map(String)} asked={asked} />}
    </>
  )
}

function Groups({ groups, asked }: { readonly groups: readonly EnergyGroup[]; readonly asked: DiagramTarget }) {
  return (
    <>
      <h2>Which method?</h2>
      <p role="status">Energies of different methods are not compared with each other: choose those of one.</p>
      <ul class="phase-choices">
        {groups.map(({ group, count }) => (
          <li key={group}>
            <Link to={diagramPath({ ...asked, group })}>{energyGroupWords(group)}</Link>{' '}
            <span class="fine">
              {count.toLocaleString()} {count === 1 ? 'material' : 'materials'}
            </span>
          </li>
        ))}
      </ul>
    </>
  )
}

function Missing({ missing, asked }: { readonly missing: readonly string[]; readonly asked: DiagramTarget }) {
  const rest = asked.elements.filter((element) => !missing.includes(element))
  return (
    <>
      <h2>What is missing</h2>
      <ul>
        {missing.map((element) => (
          <li key={element}>
            An energy of {element} alone:{' '}
            <Link to={`/materials?query=${encodeURIComponent(JSON.stringify({ chemicalSystem: element }))}`}>
              materials of {element}
            </Link>
          </li>
        ))}
      </ul>
      {rest.length > 0 && (
        <p>
          <Link to={diagramPath({ ...asked, elements: rest })}>Phase diagram of {rest.join('–')}</Link>
        </p>
      )}
    </>
  )
}
