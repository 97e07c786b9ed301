import type { ComponentChildren } from 'preact'
import { ownerCalled } from '../../app/owner-called.ts'
import { Link } from '../../app/router.tsx'
import { Instant } from '../../parts/instant.tsx'
import { valueAt } from '../../parts/value-at.ts'
import { listPath, readAsked } from '../materials/asked.ts'

interface CommonFactsProps {
  readonly collection: string
  readonly record: Readonly<Record<string, unknown>>
}

/** What every record has: its description, tags, whose it is and since when. */
export function CommonFacts({ collection, record }: CommonFactsProps) {
  const { description, tags, createdAt, updatedAt } = record
  const owner = valueAt(record, 'owner.slug')
  return (
    <>
      {typeof description === 'string' && description !== '' && <p class="prose">{description}</p>}
      <dl class="fact-rows minor">
        {Array.isArray(tags) && tags.length > 0 && (
          <Fact name="Tags">
            {tags.map((tag) => (
              <Link key={String(tag)} class="tag" to={pathOfTag(collection, String(tag))}>
                {String(tag)}
              </Link>
            ))}
          </Fact>
        )}
        {typeof owner === 'string' && <Fact name="Account">{ownerCalled(owner)}</Fact>}
        <Fact name="Seen by">{record['isPublic'] === true ? 'everybody here' : 'its account'}</Fact>
        {typeof createdAt === 'string' && (
          <Fact name="Created">
            <Instant at={createdAt} />
          </Fact>
        )}
        {typeof updatedAt === 'string' && (
          <Fact name="Updated">
            <Instant at={updatedAt} />
          </Fact>
        )}
      </dl>
    </>
  )
}

function pathOfTag(collection: string, tag: string): string {
  return listPath(collection, { ...readAsked(new URLSearchParams()), query: JSON.stringify({ tags: tag }) })
}

function Fact({ name, children }: { readonly name: string; readonly children: ComponentChildren }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
  )
}
