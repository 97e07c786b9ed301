export interface ChoiceProps {
  readonly legend: string
  readonly choices: readonly string[]
  readonly chosen: string
  readonly onChoose: (choice: string) => void
}

/** Choice of one of a few; nothing where there is none to be made. */
export function Choice({ legend, choices, chosen, onChoose }: ChoiceProps) {
  if (choices.length < 2) return null
  return (
    <fieldset class="choice">
      <legend>{legend}</legend>
      {choices.map((choice) => (
        <label key={choice}>
          <input type="radio" checked={choice === chosen} onChange={() => onChoose(choice)} /> {choice}
        </label>
      ))}
    </fieldset>
  )
}
