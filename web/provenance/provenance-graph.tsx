import { useEffect, useMemo, useRef, useState } from 'preact/hooks'
import { Link } from '../app/router.tsx'
import { Wide } from '../parts/wide.tsx'
import { ToldElsewhere } from '../plots/told-elsewhere.tsx'
import { type DrawnRecord, gathered } from './gathered.ts'
import { type DrawnLink, type GraphPlace, graphLayout, NODE } from './graph-layout.ts'
import { KindIcon } from './kind-icon.tsx'
import {
  keyOf,
  kindText,
  nameText,
  type ProvenanceOfRecord,
  pathOf,
  type Relation,
  relationText,
} from './provenance.ts'
import './provenance.css'

interface GraphProps {
  readonly provenance: ProvenanceOfRecord
  readonly links: readonly Relation[]
}

/** Records from the first origin at the left to what was made last at the right. */
export function ProvenanceGraph({ provenance, links }: GraphProps) {
  const [opened, setOpened] = useState<ReadonlySet<string>>(new Set())
  const frame = useRef<HTMLDivElement>(null)
  const { records, layout } = useMemo(() => {
    const graph = gathered(provenance, links, opened)
    return { records: new Map(graph.records.map((one) => [one.key, one])), layout: graphLayout(graph) }
  }, [provenance, links, opened])
  const { width, height, places, order } = layout
  const shownFirst = useRef<string | null>(null)
  useEffect(() => {
    // The button that was pressed is gone: what it stood for goes on.
    if (shownFirst.current === null) return
    const nodes = frame.current?.querySelectorAll<HTMLElement>('.provenance-node')
    nodes?.[order.indexOf(shownFirst.current)]?.focus()
  }, [opened])
  useEffect(() => {
    const at = places.get(provenance.record)
    const room = frame.current?.parentElement
    if (at !== undefined && room) room.scrollLeft = at.x + NODE.width / 2 - room.clientWidth / 2
  }, [provenance])
  return (
    <Wide label="Graph of provenance">
      <div ref={frame} class="provenance-graph" style={{ width: `${width}px`, height: `${height}px` }}>
        <svg width={width} height={height} aria-hidden="true">
          <ToldElsewhere>
            {layout.links.map((one, index) => (
              <LinkLine key={index} {...one} />
            ))}
            <LinkWords links={layout.links} />
          </ToldElsewhere>
        </svg>
        {order.map((key) => {
          const [one, place] = [records.get(key), places.get(key)]
          if (one === undefined || place === undefined) return null
          return (
            <GraphNode
              key={key}
              one={one}
              place={place}
              isCurrent={key === provenance.record}
              onOpen={() => {
                shownFirst.current = keyOf(one.record)
                setOpened(new Set([...opened, key]))
              }}
            />
          )
        })}
      </div>
    </Wide>
  )
}

/** Pixels of the head of an arrow. */
const HEAD = 7

function LinkLine({ way, end }: DrawnLink) {
  return (
    <>
      <path class="line" d={`${curveThrough(way)}H${end.x}`} />
      <path class="head" d={`M${end.x},${end.y}l${-HEAD},${-HEAD / 2}v${HEAD}Z`} />
    </>
  )
}

function curveThrough([first = { x: 0, y: 0 }, ...rest]: readonly GraphPlace[]): string {
  let [path, at] = [`M${first.x},${first.y.toFixed(1)}`, first]
  for (const to of rest) {
    const half = (to.x - at.x) / 2
    path += `C${at.x + half},${at.y.toFixed(1)} ${to.x - half},${to.y.toFixed(1)} ${to.x},${to.y.toFixed(1)}`
    at = to
  }
  return path
}

/** Words at the ends of links, one for all that come by the same word. */
function LinkWords({ links }: { readonly links: readonly DrawnLink[] }) {
  const ends = new Map(links.map(({ link, end }) => [`${link.from} ${link.how}`, { link, end }]))
  return (
    <>
      {[...ends].map(([key, { link, end }]) => (
        <text key={key} x={end.x - HEAD - 4} y={end.y - 7} text-anchor="end">
          {relationText(link)}
        </text>
      ))}
    </>
  )
}

interface NodeProps {
  readonly one: DrawnRecord
  readonly place: GraphPlace
  readonly isCurrent: boolean
  readonly onOpen: () => void
}

function GraphNode({ one: { record, gathered: all }, place, isCurrent, onOpen }: NodeProps) {
  const style = {
    left: `${place.x}px`,
    top: `${place.y - NODE.height / 2}px`,
    width: `${NODE.width}px`,
    height: `${NODE.height}px`,
  }
  const kind = kindText(record.collection)
  const path = pathOf(record)
  if (all.length > 0)
    return (
      <button type="button" class="provenance-node" style={style} onClick={onOpen}>
        <KindIcon collection={record.collection} />
        <span class="provenance-name">{all.length} more</span>
        <span class="provenance-kind">{kind}: show all</span>
      </button>
    )
  const inside = (
    <>
      <KindIcon collection={record.collection} />
      <span class="provenance-name">{nameText(record)}</span>
      <span class="provenance-kind">{record.name === null ? `${kind}, not seen or gone` : kind}</span>
    </>
  )
  if (path === null || isCurrent)
    return (
      <div
        class={isCurrent ? 'provenance-node current' : 'provenance-node gone'}
        style={style}
        title={nameText(record)}
      >
        {inside}
      </div>
    )
  return (
    <Link class="provenance-node" to={path} title={nameText(record)} style={style}>
      {inside}
    </Link>
  )
}
