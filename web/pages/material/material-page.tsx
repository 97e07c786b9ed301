import { useEffect, useMemo, useState } from 'preact/hooks'
import { type PageAddress, pagePath } from '../../../src/page/addresses.ts'
import { ROOT } from '../../api/client.ts'
import { reading, useAnswer } from '../../api/use-answer.ts'
import { announce } from '../../app/announce.ts'
import { type Command, usePageCommands } from '../../app/page-commands.ts'
import { noteRecent } from '../../app/recent.ts'
import { backTo, Link, navigate } from '../../app/router.tsx'
import { writes } from '../../app/undo.ts'
import { CopyButton } from '../../parts/copyable.tsx'
import { Formula } from '../../parts/formula.tsx'
import { HelpMark } from '../../parts/page-title.tsx'
import { RefusalBox } from '../../parts/refusal-box.tsx'
import { Skeleton } from '../../parts/skeleton.tsx'
import { ownFields } from '../../properties/own-fields.ts'
import { RecordActions } from '../curate/record-actions.tsx'
import { Citation } from './citation.tsx'
import { CrystalPlace } from './crystal-place.tsx'
import { ExportMenu } from './export-menu.tsx'
import { Facts } from './facts.tsx'
import { type Material, textAt } from './material.ts'
import { RecordWarnings } from './record-warnings.tsx'
import type { SectionProps } from './section.ts'
import { readSection, SECTIONS, type SectionName, type SectionView } from './sections.ts'
import './material.css'

/** One material: the crystal and its facts, and below them a section that the address names. */
export function MaterialPage({ address }: { readonly address: PageAddress }) {
  const { id = '' } = address.at
  const [round, setRound] = useState(0)
  const path = `/materials/${encodeURIComponent(id)}`
  const state = `${round} ${writes.value}`
  const { data, error } = useAnswer<Material>(reading(path), state)
  const behind = useAnswer<Material>(reading(path, { fields: '{"properties":1}' }), state)
  // Without its properties a material is shown all the same.
  const properties = behind.error === undefined ? behind.data && (behind.data['properties'] ?? {}) : {}
  const isSet = data?.['isEntitySet'] === true
  useEffect(() => {
    if (isSet) navigate(pagePath('set', { id }), { replace: true })
  }, [isSet])
  return (
    <div class="material">
      <p class="back">
        <Link to="/materials" onFollow={backTo('/materials')}>
          ← Materials
        </Link>
      </p>
      {error !== undefined && (
        <>
          <h1>There is no such material for you</h1>
          <RefusalBox error={error} />
        </>
      )}
      {error === undefined && data === null && <Skeleton />}
      {data !== null && !isSet && (
        <Present
          material={data}
          properties={properties}
          id={id}
          address={address}
          onChanged={() => setRound(round + 1)}
        />
      )}
    </div>
  )
}

function commandsOf(id: string): readonly Command[] {
  const path = pagePath('material', { id })
  const edit: Command = {
    title: 'Edit this material',
    group: 'This page',
    key: 'e',
    run: () => navigate(`${path}/edit`),
  }
  const copyId: Command = {
    title: 'Copy the identifier',
    group: 'This page',
    run: () => void navigator.clipboard?.writeText(id).then(() => announce('Copied identifier')),
  }
  return [edit, copyId]
}

interface PresentProps {
  readonly material: Material
  readonly properties: unknown
  readonly id: string
  readonly address: PageAddress
}

interface ChangedProps extends PresentProps {
  readonly onChanged: () => void
}

function Present({ material, properties, id, address, onChanged }: ChangedProps) {
  const name = textAt(material, 'name')
  const formula = textAt(material, 'formula') ?? ''
  useEffect(() => {
    document.title = `${name ?? formula} · Quarry`
    noteRecent(pagePath('material', { id }), name ?? formula)
  }, [name, formula, id])
  usePageCommands(useMemo(() => commandsOf(id), [id]))
  return (
    <>
      <header class="material-head">
        <h1>{name ?? <Formula text={formula} />}</h1>
        <div class="buttons">
          <ExportMenu id={id} />
          <span class="identifier">
            <code>{id}</code>{' '}
            <CopyButton label="id" text={id}>
              Copy id
            </CopyButton>
          </span>
          <span class="identifier">
            <CopyButton label="link to this material" text={`${ROOT}/materials/${encodeURIComponent(id)}`}>
              Copy link
            </CopyButton>
          </span>
        </div>
      </header>
      <RecordActions collection="materials" one="material" record={material} onChanged={onChanged} />
      <div class="overview">
        <CrystalPlace key={String(material['hash'])} material={material} id={id} />
        <div>
          <Facts material={material} properties={properties} />
          <Citation material={material} />
          <RecordWarnings material={material} />
        </div>
      </div>
      <Sections material={material} properties={properties} id={id} address={address} />
    </>
  )
}

function Sections({ material, properties, id, address }: PresentProps) {
  const isKnown = properties !== null
  const hasProperties = Object.keys(properties ?? {}).length > 0 || ownFields(material).length > 0
  const named = readSection(address.search)
  const first = hasProperties ? 'properties' : isKnown ? 'structure' : null
  const shown = named === null || named === 'properties' ? first : named
  const offered = (Object.keys(SECTIONS) as SectionName[]).filter((name) => name !== 'properties' || hasProperties)
  function change(parameters: Readonly<Record<string, string | null>>): void {
    const search = new URLSearchParams(address.search)
    for (const [name, value] of Object.entries(parameters)) {
      if (value === null) search.delete(name)
      else search.set(name, value)
    }
    navigate(`/materials/${encodeURIComponent(id)}?${search}`, { replace: true })
  }
  return (
    <>
      <nav class="sections" aria-label="Sections">
        {offered.map((name) => (
          <Link
            key={name}
            to={`/materials/${encodeURIComponent(id)}?section=${name}`}
            {...(name === shown ? CURRENT : {})}
          >
            {SECTIONS[name].title}
          </Link>
        ))}
      </nav>
      {shown === null ? (
        <Skeleton />
      ) : (
        <Section
          key={shown}
          name={shown}
          material={material}
          properties={properties}
          id={id}
          address={address}
          change={change}
        />
      )}
    </>
  )
}

const CURRENT = { 'aria-current': 'page' } as const

/** A section, whose file comes when it is shown. */
function Section({ name, ...props }: SectionProps & { readonly name: SectionName }) {
  const [view, setView] = useState<{ readonly View: SectionView } | null | Error>(null)
  useEffect(() => {
    SECTIONS[name].load().then(
      (View) => setView({ View }),
      () => setView(new Error('A part of this page did not come. Reload the page.')),
    )
  }, [name])
  if (view instanceof Error) return <RefusalBox error={view} />
  return (
    <section class="section" aria-label={SECTIONS[name].title}>
      <div class="section-help">
        <HelpMark of={`section.${name}`} />
      </div>
      {view === null ? <Skeleton /> : <view.View {...props} />}
    </section>
  )
}
