import { useEffect, useState } from 'preact/hooks'
import { focusContent } from '../../app/focus.ts'
import { Formula } from '../../parts/formula.tsx'
import { late } from '../../parts/late.tsx'
import { SpaceGroup } from '../../parts/space-group.tsx'
import { analysisOf, type Item, isDrawable } from './import-item.ts'
import { choose, dropItems, rename } from './import-items.ts'
import { ItemDetails } from './item-details.tsx'
import { storedWords } from './reports.tsx'

/** Drawing comes with the first row that has something to draw. */
const Thumbnail = late(async () => (await import('../../crystal/thumbnail.tsx')).Thumbnail)

const COLUMNS = 7
/** Pixels of a side of a picture. */
const PICTURE = 44

/** One file: what it is, what it is to be called, and what became of it. */
export function ItemRow({ item }: { readonly item: Item }) {
  const [isOpen, setOpen] = useState(false)
  const { key, file, state, isChosen } = item
  const analysis = analysisOf(item)
  const group = analysis?.symmetry?.spaceGroup ?? analysis?.spaceGroup
  return (
    <>
      <tr class={isOpen ? 'open' : undefined} aria-busy={isUnderWay(item)}>
        <td class="tick">
          {state.step === 'ready' && (
            <input
              type="checkbox"
              aria-label={`Store ${file.name}`}
              checked={isChosen}
              onChange={({ currentTarget }) => choose([key], currentTarget.checked)}
            />
          )}
        </td>
        <td class="picture">{isDrawable(analysis) && <Thumbnail of={analysis} size={PICTURE} />}</td>
        <th scope="row">
          <ItemName item={item} />
        </th>
        <td data-label="Formula" class={analysis?.formula === undefined ? 'nothing' : undefined}>
          <div>{analysis?.formula !== undefined && <Formula text={analysis.formula} />}</div>
        </td>
        <td data-label="Space group" class={group === undefined ? 'nothing' : undefined}>
          <div>
            {group !== undefined && (
              <>
                <SpaceGroup symbol={group.symbol} number={group.number} /> ({group.number})
              </>
            )}
          </div>
        </td>
        <td data-label="Atoms" class={analysis?.sites === undefined ? 'number nothing' : 'number'}>
          <div>{analysis?.sites}</div>
        </td>
        <td data-label="State">
          <Standing item={item} isOpen={isOpen} onOpen={setOpen} />
        </td>
      </tr>
      {isOpen && (
        <tr class="run-details">
          <td colSpan={COLUMNS}>
            <ItemDetails item={item} />
          </td>
        </tr>
      )}
    </>
  )
}

interface StandingProps {
  readonly item: Item
  readonly isOpen: boolean
  readonly onOpen: (isOpen: boolean) => void
}

/** Where a file stands, and what can be done with its row. */
function Standing({ item, isOpen, onOpen }: StandingProps) {
  const { key, file, state, isChosen } = item
  const analysis = analysisOf(item)
  const notes = analysis?.warnings?.length ?? 0
  return (
    <span class="run-state">
      <span class={`state ${state.step === 'ready' ? (isChosen ? 'new' : '') : state.step}`}>
        {state.step === 'done' ? storedWords(state.reports) : wordsOf(item)}
      </span>
      {(analysis !== null || state.step === 'done') && (
        <button
          type="button"
          class="plain"
          aria-expanded={isOpen}
          aria-label={`Details of ${file.name}`}
          onClick={() => onOpen(!isOpen)}
        >
          {notes === 0 ? 'Details' : `${notes} ${notes === 1 ? 'note' : 'notes'}`}
        </button>
      )}
      {!isUnderWay(item) && (
        <button
          type="button"
          class="plain taking"
          aria-label={`Take ${file.name} off the list`}
          onClick={() => {
            dropItems([key])
            focusContent()
          }}
        >
          ✕
        </button>
      )}
    </span>
  )
}

function isUnderWay({ state }: Item): boolean {
  return state.step === 'reading' || state.step === 'storing'
}

function wordsOf({ state, isChosen }: Item): string {
  if (state.step === 'reading') return 'Reading…'
  if (state.step === 'storing') return 'Storing…'
  return isChosen ? 'Not stored' : 'Left out'
}

/** The name that the record gets, which can be written until it is stored, and the file below it. */
function ItemName({ item }: { readonly item: Item }) {
  const { key, file, said, state } = item
  const name = (isThere(item) ? null : said.name) ?? analysisOf(item)?.name
  const [text, setText] = useState(name ?? '')
  useEffect(() => setText(name ?? ''), [name])
  const isPasted = file.name === 'pasted'
  if (state.step !== 'ready' || name === undefined)
    return <span class="run-line">{isPasted ? (name ?? 'Pasted structure') : (name ?? file.name)}</span>
  return (
    <>
      <input
        class="item-name"
        aria-label={`Name of ${file.name}`}
        value={text}
        onInput={({ currentTarget }) => setText(currentTarget.value)}
        onChange={() => {
          if (text.trim() === '') setText(name)
          else rename(key, text.trim())
        }}
      />
      {!isPasted && <span class="fine run-line">{file.name}</span>}
    </>
  )
}

/** Whether it was there already: then it keeps the name that it has. */
function isThere({ state }: Item): boolean {
  return state.step === 'done' && state.reports.every(({ outcome }) => outcome !== 'stored')
}
