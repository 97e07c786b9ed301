import { Link } from '../../app/router.tsx'
import { GUIDE_GROUPS, type Guide } from './guides.ts'
import { useIsWide } from './use-is-wide.ts'

/** A heading of the page that is shown. */
export interface Chapter {
  readonly id: string
  readonly title: string
}

interface ContentsProps {
  /** The one that is shown. */
  readonly guide?: Guide | undefined
  /** What the page of operations has. */
  readonly chapters?: readonly Chapter[]
}

/** What there is to read: beside the page, or above it where there is no room. */
export function Contents({ guide, chapters = [] }: ContentsProps) {
  const isWide = useIsWide()
  return (
    <nav class="contents-of-docs" aria-label="Contents">
      <details open={isWide}>
        <summary>Contents</summary>
        <h2>
          <Link to="/docs" aria-current={guide === undefined ? 'page' : undefined}>
            Operations
          </Link>
        </h2>
        {chapters.length > 0 && (
          <ul>
            {chapters.map(({ id, title }) => (
              <li key={id}>
                <a href={`#${id}`}>{title}</a>
              </li>
            ))}
          </ul>
        )}
        {GUIDE_GROUPS.map(({ title, guides }) => (
          <section key={title}>
            <h2>{title}</h2>
            <ul>
              {guides.map((one) => (
                <li key={one.name}>
                  <Link to={`/docs/${one.name}`} title={one.words} aria-current={one === guide ? 'page' : undefined}>
                    {one.title}
                  </Link>
                </li>
              ))}
            </ul>
          </section>
        ))}
      </details>
    </nav>
  )
}
