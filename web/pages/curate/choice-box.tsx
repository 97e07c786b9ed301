interface ChoiceBoxProps {
  readonly id: string
  readonly name: string
  readonly chosen: ReadonlySet<string>
  readonly onChoose: (chosen: ReadonlySet<string>) => void
}

/** The box by which a record of a list is chosen. */
export function ChoiceBox({ id, name, chosen, onChoose }: ChoiceBoxProps) {
  return (
    <input
      type="checkbox"
      class="choice-box"
      aria-label={`Choose ${name}`}
      checked={chosen.has(id)}
      onChange={({ currentTarget }) => onChoose(changed(chosen, [id], currentTarget.checked))}
    />
  )
}

/** The box by which all records that are shown are chosen. */
export function ChoiceOfAll({
  ids,
  chosen,
  onChoose,
}: Omit<ChoiceBoxProps, 'id' | 'name'> & { readonly ids: readonly string[] }) {
  const count = ids.filter((id) => chosen.has(id)).length
  return (
    <input
      type="checkbox"
      class="choice-box"
      aria-label="Choose all that are shown"
      ref={(box) => {
        if (box !== null) box.indeterminate = count > 0 && count < ids.length
      }}
      checked={ids.length > 0 && count === ids.length}
      onChange={({ currentTarget }) => onChoose(changed(chosen, ids, currentTarget.checked))}
    />
  )
}

function changed(chosen: ReadonlySet<string>, ids: readonly string[], isChosen: boolean): ReadonlySet<string> {
  const next = new Set(chosen)
  for (const id of ids)
    if (isChosen) next.add(id)
    else next.delete(id)
  return next
}
