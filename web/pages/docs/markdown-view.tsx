import type { ComponentChildren } from 'preact'
import { Link } from '../../app/router.tsx'
import { CopyButton } from '../../parts/copyable.tsx'
import { Wide } from '../../parts/wide.tsx'
import { type Guide, targetOf } from './guides.ts'
import { type Block, type Blocks, type Inline, type Inlines, plainText } from './markdown.ts'

interface MarkdownProps {
  readonly blocks: Blocks
  /** Whose text it is: links in it are relative to its file. */
  readonly guide: Guide
}

/** A guide, as elements: no text becomes HTML. */
export function Markdown({ blocks, guide }: MarkdownProps) {
  return (
    <>
      {blocks.map((block, at) => (
        <BlockView key={at} block={block} at={at} guide={guide} />
      ))}
    </>
  )
}

function BlockView({ block, at, guide }: { readonly block: Block; readonly at: number; readonly guide: Guide }) {
  switch (block.kind) {
    case 'heading':
      return <Heading block={block} guide={guide} />
    case 'paragraph':
      return <p>{words(block.inlines, guide)}</p>
    case 'code':
      return (
        <div class="copyable">
          <pre tabIndex={0} role="region" aria-label={`Example ${at}`}>
            {block.text}
          </pre>
          <CopyButton label={`example ${at}`} text={block.text} />
        </div>
      )
    case 'list':
      return <List block={block} guide={guide} />
    default:
      return <Table block={block} at={at} guide={guide} />
  }
}

type Of<Kind extends Block['kind']> = { readonly block: Extract<Block, { kind: Kind }>; readonly guide: Guide }

function Heading({ block: { level, id, inlines }, guide }: Of<'heading'>) {
  const Tag = `h${level}` as 'h2'
  return (
    <Tag id={id} tabIndex={-1}>
      {words(inlines, guide)}
      {level > 1 && (
        <a class="anchor" href={`#${id}`} aria-label={`Link to ${plainText(inlines)}`}>
          #
        </a>
      )}
    </Tag>
  )
}

function List({ block: { isOrdered, items }, guide }: Of<'list'>) {
  const Tag = isOrdered ? 'ol' : 'ul'
  return (
    <Tag>
      {items.map((item, at) => (
        <li key={at}>
          <Item blocks={item} guide={guide} />
        </li>
      ))}
    </Tag>
  )
}

/** What begins with a line has it without a paragraph of its own. */
function Item({ blocks, guide }: MarkdownProps) {
  const [first, ...rest] = blocks
  if (first?.kind !== 'paragraph') return <Markdown blocks={blocks} guide={guide} />
  return (
    <>
      {words(first.inlines, guide)}
      <Markdown blocks={rest} guide={guide} />
    </>
  )
}

function Table({ block: { head, rows }, at, guide }: Of<'table'> & { readonly at: number }) {
  return (
    <Wide label={`Table ${at}: ${plainText(head[0] ?? [])}`}>
      <table>
        <thead>
          <tr>
            {head.map((cell, column) => (
              <th key={column} scope="col">
                {cell.length === 0 ? <span class="unseen">Row</span> : words(cell, guide)}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row, index) => (
            <tr key={index}>
              {row.map((cell, column) => (
                <td key={column}>{words(cell, guide)}</td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </Wide>
  )
}

function words(inlines: Inlines, guide: Guide): ComponentChildren {
  return inlines.map((inline) => wordOf(inline, guide))
}

function wordOf(inline: Inline, guide: Guide): ComponentChildren {
  switch (inline.kind) {
    case 'text':
      return inline.text
    case 'code':
      return <code>{inline.text}</code>
    case 'strong':
      return <strong>{words(inline.inlines, guide)}</strong>
    case 'emphasis':
      return <em>{words(inline.inlines, guide)}</em>
    default:
      return linked(inline, guide)
  }
}

/** What leads to a file that this server does not show is told, not linked. */
function linked({ href, inlines }: Extract<Inline, { kind: 'link' }>, guide: Guide): ComponentChildren {
  const target = targetOf(href, guide)
  if (target === null) return words(inlines, guide)
  return 'to' in target ? (
    <Link to={target.to}>{words(inlines, guide)}</Link>
  ) : (
    <a href={target.href}>{words(inlines, guide)}</a>
  )
}
