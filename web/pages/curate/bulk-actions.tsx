import { useMemo, useState } from 'preact/hooks'
import { fetchPlain } from '../../api/client.ts'
import { announce } from '../../app/announce.ts'
import { focusContent } from '../../app/focus.ts'
import { usePageCommands } from '../../app/page-commands.ts'
import { Link, navigate } from '../../app/router.tsx'
import { Menu } from '../../parts/menu.tsx'
import { saveBlob } from '../../parts/save-blob.ts'
import { comparePath, isComparable } from '../compare/compare-ids.ts'
import type { Meant } from './bulk.ts'
import { BulkDialog } from './bulk-dialog.tsx'
import { DEEDS, type Deed } from './deeds.tsx'
import './curate.css'

interface BulkActionsProps {
  readonly collection: string
  readonly one: string
  /** The records that are chosen. */
  readonly ids: ReadonlySet<string>
  /** The filter of the list, as JSON; empty where it has none. */
  readonly query: string
  /** How many match it in all. */
  readonly count: number
  /** It is done: what was chosen is chosen no more. */
  readonly onDone: () => void
}

/** What can be done to the records that are chosen, or to all that the list finds. */
export function BulkActions({ collection, one, ids, query, count, onDone }: BulkActionsProps) {
  const [isAll, setAll] = useState(false)
  const [deed, setDeed] = useState<Deed | null>(null)
  const filter: unknown = isAll ? JSON.parse(query === '' ? '{}' : query) : { _id: { $in: [...ids] } }
  const meant: Meant = isAll ? { query: filter } : { ids: [...ids] }
  const commands = useMemo(
    () =>
      collection === 'materials' && isComparable(ids.size)
        ? [
            {
              title: 'Compare the chosen materials',
              group: 'This page',
              run: () => navigate(comparePath(ids)),
            } as const,
          ]
        : [],
    [collection, ids],
  )
  usePageCommands(commands)
  return (
    <>
      {count > ids.size && (
        <label class="all-of-them">
          <input type="checkbox" checked={isAll} onChange={({ currentTarget }) => setAll(currentTarget.checked)} />
          all {count.toLocaleString()} that match
        </label>
      )}
      {collection === 'materials' && isComparable(ids.size) && !isAll && (
        <Link class="button" to={comparePath(ids)}>
          Compare
        </Link>
      )}
      {(Object.keys(DEEDS) as Deed[]).map((each) => (
        <button key={each} type="button" class={each === 'remove' ? 'danger' : undefined} onClick={() => setDeed(each)}>
          {DEEDS[each].title}
        </button>
      ))}
      <ExportMenu collection={collection} filter={JSON.stringify(filter)} />
      {deed !== null && (
        <BulkDialog
          collection={collection}
          one={one}
          meant={meant}
          deed={deed}
          onClose={() => setDeed(null)}
          onDone={() => {
            setDeed(null)
            onDone()
            focusContent()
          }}
        />
      )}
    </>
  )
}

const FORMATS = [
  ['cif', 'CIF, in a zip', 'zip'],
  ['poscar', 'POSCAR, in a zip', 'zip'],
  ['', 'Whole records (NDJSON)', 'ndjson'],
] as const

function ExportMenu({ collection, filter }: { readonly collection: string; readonly filter: string }) {
  const [words, setWords] = useState('')
  async function take(format: string, ending: string): Promise<void> {
    setWords('…')
    try {
      const search = { query: filter, ...(format === '' ? {} : { format }) }
      const answer = await fetchPlain('GET', `/${collection}/export`, { search })
      saveBlob(await answer.blob(), `${collection}${format === '' ? '' : `-${format}`}.${ending}`)
      setWords('')
      announce('The file is saved.')
    } catch (error) {
      setWords((error as Error).message)
    }
  }
  const formats = FORMATS.filter(([format]) => format === '' || collection === 'materials')
  return (
    <Menu label="Export">
      {formats.map(([format, title, ending]) => (
        <button key={format} type="button" class="plain" onClick={() => void take(format, ending)}>
          {title}
        </button>
      ))}
      <small role="status">{words}</small>
    </Menu>
  )
}
