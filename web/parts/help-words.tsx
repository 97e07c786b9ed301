import { pagePath } from '../../src/page/addresses.ts'
import { Link } from '../app/router.tsx'
import { HELPS, type HelpName } from './helps.ts'
import './help-words.css'

/** What a part of the page is for, in a paragraph, and where the guide tells more. */
export function HelpWords({ of }: { readonly of: HelpName }) {
  const { words, guide, heading } = HELPS[of]
  return (
    <p class="help-words" role="note">
      {words} <Link to={`${pagePath('guide', { name: guide })}#${heading}`}>More about this</Link>
    </p>
  )
}
