import { useId } from 'preact/hooks'

export interface ChoiceProps<One extends string> {
  readonly legend: string
  readonly choices: readonly One[]
  readonly chosen: One
  readonly onChoose: (choice: One) => void
}

/** Choice of one of a few; nothing where there is none to be made. */
export function Choice<One extends string>({ legend, choices, chosen, onChoose }: ChoiceProps<One>) {
  const name = useId()
  if (choices.length < 2) return null
  return (
    <fieldset class="choice">
      <legend>{legend}</legend>
      {choices.map((choice) => (
        <label key={choice}>
          <input type="radio" name={name} checked={choice === chosen} onChange={() => onChoose(choice)} /> {choice}
        </label>
      ))}
    </fieldset>
  )
}
