import { useEffect, useState } from 'preact/hooks'
import type { PageAddress } from '../../../src/page/addresses.ts'
import { fetchFile, ROOT } from '../../api/client.ts'
import { Link } from '../../app/router.tsx'
import { Empty } from '../../parts/empty.tsx'
import { RefusalBox } from '../../parts/refusal-box.tsx'
import { Skeleton } from '../../parts/skeleton.tsx'
import { Contents } from './contents.tsx'
import './docs.css'
import { type Guide, guideOf } from './guides.ts'
import { type Blocks, parseMarkdown, plainText } from './markdown.ts'
import { Markdown } from './markdown-view.tsx'
import { showPlace } from './place.ts'

/** A guide or a page of the reference, as people read it. */
export function GuidePage({ address }: { readonly address: PageAddress }) {
  const guide = guideOf(address.at['name'] ?? '')
  return (
    <div class="docs">
      <Contents guide={guide} />
      {guide === undefined ? <NoGuide /> : <Text key={guide.name} guide={guide} address={address} />}
    </div>
  )
}

function NoGuide() {
  return (
    <Empty>
      <h1>There is no such guide</h1>
      <p>
        All of them are listed beside the <Link to="/docs">reference</Link>.
      </p>
    </Empty>
  )
}

function Text({ guide, address }: { readonly guide: Guide; readonly address: PageAddress }) {
  const [blocks, setBlocks] = useState<Blocks | null>(null)
  const [error, setError] = useState<unknown>(null)
  useEffect(() => {
    document.title = `${guide.title} · Quarry`
    fetchFile(`/docs/${guide.name}.md`).then((text) => setBlocks(parseMarkdown(text)), setError)
  }, [guide])
  // biome-ignore lint/correctness/useExhaustiveDependencies: a link within the page leads to another place of it
  useEffect(() => {
    if (blocks !== null) showPlace()
  }, [blocks, address])
  if (error !== null) return <RefusalBox error={error} />
  if (blocks === null) return <Skeleton lines={12} />
  return (
    <article class="guide">
      <OnThisPage blocks={blocks} />
      <Markdown blocks={blocks} guide={guide} />
      <p class="fine">
        <a href={`${ROOT}/docs/${guide.name}.md`}>This page as text</a>
      </p>
    </article>
  )
}

/** The headings of a long page. */
function OnThisPage({ blocks }: { readonly blocks: Blocks }) {
  const headings = blocks.flatMap((block) => (block.kind === 'heading' && block.level === 2 ? [block] : []))
  if (headings.length < 4) return null
  return (
    <nav class="on-this-page" aria-label="On this page">
      {headings.map(({ id, inlines }) => (
        <a key={id} href={`#${id}`}>
          {plainText(inlines)}
        </a>
      ))}
    </nav>
  )
}
