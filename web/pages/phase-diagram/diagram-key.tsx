import { CLASS_WORDS } from './above-hull.ts'

/** What the marks mean: by form for what is stable, by colour for how far the others are from it. */
export function DiagramKey() {
  return (
    <ul class="phase-key">
      <li>
        <svg width="16" height="16" aria-hidden="true">
          <circle class="stable" cx="8" cy="8" r="6" />
        </svg>
        stable
      </li>
      {CLASS_WORDS.map((words, at) => (
        <li key={words}>
          <svg width="16" height="16" aria-hidden="true">
            <polygon class={`unstable above-${at}`} points="8,2 14,8 8,14 2,8" />
          </svg>
          {words}
        </li>
      ))}
    </ul>
  )
}
