import { useState } from 'preact/hooks'
import { pagePath } from '../../../src/page/addresses.ts'
import { useAnswer } from '../../api/use-answer.ts'
import { Link } from '../../app/router.tsx'
import { writes } from '../../app/undo.ts'
import type { FacetFound } from './facets.tsx'
import './first-steps.css'

const KEY = 'quarry.first-steps'

/** Searches that show what the line understands; each finds something among the samples. */
const SEARCHES = ['Ti or Zr', 'perovskite', 'gap > 1 and < 3 eV', 'volume < 50']

interface FirstStepsProps {
  /** The account that is acted in, as records have it. */
  readonly account: string
  /** How many records each owner has, as far as they were counted. */
  readonly owners: FacetFound
  readonly onSearch: (text: string) => void
}

/** What somebody does first who has no record yet. It goes with the first one, or when it is hidden. */
export function FirstSteps({ account, owners, onSearch }: FirstStepsProps) {
  const { values = [], distinct = 0 } = owners
  const [isHidden, hide] = useState(wasHidden)
  const isCounted = distinct !== null && distinct <= values.length
  // Where there are more owners than were counted, it is asked for.
  const counted = useAnswer<{ readonly count: number }>(
    isHidden || isCounted
      ? null
      : { method: 'POST', path: '/materials/count', body: { query: { 'owner.slug': account } } },
    writes.value,
  )
  const hasNone = isCounted || counted.data?.count === 0
  if (isHidden || !hasNone) return null
  return (
    <section class="first-steps" aria-label="First steps">
      <h2>Three steps to begin</h2>
      <button
        type="button"
        class="plain"
        onClick={() => {
          keepHidden()
          hide(true)
        }}
      >
        Hide
      </button>
      <ol>
        <li>
          <h3>Bring what you have</h3>
          <p>
            Drop structure files, or whole folders of VASP and Quantum ESPRESSO calculations, on any page. You see what
            comes of them before anything is stored.
          </p>
          <Link to={pagePath('import')}>Import</Link>
        </li>
        <li>
          <h3>Find it again</h3>
          <p>Write into the line above what you look for, as you would say it:</p>
          <p class="first-searches">
            {SEARCHES.map((text) =>
              values.length === 0 ? (
                <code key={text}>{text}</code>
              ) : (
                <button key={text} type="button" class="plain" onClick={() => onSearch(text)}>
                  {text}
                </button>
              ),
            )}
          </p>
        </li>
        <li>
          <h3>Work from a notebook</h3>
          <p>Make a token, and copy the lines for Python or curl that come with it.</p>
          <Link to={pagePath('account')}>Account and tokens</Link>
        </li>
      </ol>
    </section>
  )
}

/** A browser that keeps nothing shows them again. */
function wasHidden(): boolean {
  try {
    return localStorage.getItem(KEY) !== null
  } catch {
    return false
  }
}

function keepHidden(): void {
  try {
    localStorage.setItem(KEY, 'hidden')
  } catch {}
}
