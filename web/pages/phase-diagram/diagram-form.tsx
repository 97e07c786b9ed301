import { useEffect, useState } from 'preact/hooks'
import { navigate } from '../../app/router.tsx'
import { Field } from '../../parts/field.tsx'
import { readElements } from './asked-diagram.ts'
import { type DiagramTarget, diagramPath } from './diagram-path.ts'
import { DiagramTerms } from './diagram-terms.tsx'
import { ElementsDialog } from './elements-dialog.tsx'
import type { PhaseDiagram } from './phase-diagram.ts'
import { energyGroupWords } from './phase-words.ts'

interface DiagramFormProps {
  readonly asked: DiagramTarget
  readonly diagram: PhaseDiagram | null
}

/** Which elements, typed or chosen from the periodic table, and by which method. */
export function DiagramForm({ asked, diagram }: DiagramFormProps) {
  const written = asked.elements.join(', ')
  const [typed, setTyped] = useState(written)
  const [isChoosing, setChoosing] = useState(false)
  useEffect(() => setTyped(written), [written])

  function go(elements: readonly string[]): void {
    setChoosing(false)
    // Another system has energies of other groups.
    if (elements.length > 0) navigate(diagramPath({ ...asked, elements, group: null }))
  }

  return (
    <>
      <form
        class="asked"
        aria-label="Elements of the diagram"
        onSubmit={(event) => {
          event.preventDefault()
          go(readElements(typed))
        }}
      >
        <Field label="Elements">
          <input
            value={typed}
            placeholder="Li, Fe, O"
            spellcheck={false}
            autocapitalize="none"
            autocomplete="off"
            onInput={({ currentTarget: { value } }) => setTyped(value)}
          />
        </Field>
        <button type="submit">Show</button>
        <button type="button" onClick={() => setChoosing(true)}>
          Periodic table
        </button>
        {diagram !== null && diagram.groups.length > 1 && <GroupChoice asked={asked} diagram={diagram} />}
        {asked.elements.length > 0 && <DiagramTerms asked={asked} />}
      </form>
      {isChoosing && <ElementsDialog elements={asked.elements} onChoose={go} onClose={() => setChoosing(false)} />}
    </>
  )
}

function GroupChoice({ asked, diagram }: { readonly asked: DiagramTarget; readonly diagram: PhaseDiagram }) {
  const chosen = [diagram.group].flat().join(',')
  const groups = diagram.groups.some(({ group }) => group === chosen)
    ? diagram.groups
    : [{ group: chosen, count: diagram.entries.length }, ...diagram.groups]
  return (
    <label class="field group">
      Method
      <select
        value={chosen}
        onChange={({ currentTarget: { value } }) => navigate(diagramPath({ ...asked, group: value }))}
      >
        {groups.map(({ group, count }) => (
          <option key={group} value={group}>
            {group.split(',').map(energyGroupWords).join(' and ')} ({count.toLocaleString()})
          </option>
        ))}
      </select>
    </label>
  )
}
