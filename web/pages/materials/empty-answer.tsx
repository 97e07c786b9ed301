import { useEffect, useState } from 'preact/hooks'
import { ask } from '../../api/client.ts'
import { type Condition, queryOf } from '../../query/conditions.ts'
import { readLine } from '../../query/search-line/read-line.ts'
import { writeLine } from '../../query/search-line/write-line.ts'
import type { ChipsProps } from './chips.tsx'
import { ConditionText } from './condition-text.tsx'
import { partsOf, type WordPart } from './condition-words.ts'
import { vocabularyOf } from './line-reader.ts'

/** What might be asked in place of what finds nothing. */
interface WayOut {
  readonly says: readonly WordPart[]
  readonly conditions: readonly Condition[]
  readonly go: () => void
  /** Whether it asks less, and not something else. */
  readonly isLess: boolean
}

/** Counts that are asked for, one after the other. */
const MOST_COUNTS = 8

/** Why nothing is found: how many records there would be without each condition, or with another meaning of it. */
export function EmptyAnswer(props: ChipsProps) {
  const ways = waysOut(props).slice(0, MOST_COUNTS)
  const counts = useCounts(
    props.collection.name,
    ways.map(({ conditions }) => conditions),
  )
  const isAllNothing = counts.length === ways.length && counts.every((count) => count === 0)
  // Where none of them alone leaves everything out, each is asked alone.
  const alone = isAllNothing ? waysAlone(props).slice(0, MOST_COUNTS) : []
  const countsAlone = useCounts(
    props.collection.name,
    alone.map(({ conditions }) => conditions),
  )
  const shown = [...counted(ways, counts), ...counted(alone, countsAlone)]
  if (ways.length === 0) return null
  return (
    <div class="ways-out">
      <p>{ways.some(({ isLess }) => isLess) && 'What there would be without one of the conditions:'}</p>
      <ul aria-label="What else there is" aria-busy={counts.length < ways.length}>
        {shown.map(({ says, count, go }, at) => {
          const told = <ConditionText parts={[...says, `: ${count.toLocaleString()}`]} />
          return (
            <li key={at}>
              {count === 0 ? (
                told
              ) : (
                <button type="button" class="plain" onClick={go}>
                  {told}
                </button>
              )}
            </li>
          )
        })}
      </ul>
    </div>
  )
}

function counted(ways: readonly WayOut[], counts: readonly number[]): readonly (WayOut & { readonly count: number })[] {
  return ways.flatMap((way, at) => {
    const count = counts[at]
    return count === undefined || (count === 0 && !way.isLess) ? [] : [{ ...way, count }]
  })
}

/** Each condition of three or more by itself. */
function waysAlone({ collection, pieces, filters, onChange }: ChipsProps): readonly WayOut[] {
  if (pieces.length + filters.length < 3) return []
  const ofLine = pieces.map((piece) => ({
    says: ['only ', ...partsOf(piece.condition, collection)],
    conditions: [piece.condition],
    go: () => onChange(writeLine([piece]), []),
    isLess: false,
  }))
  const ofFilters = filters.map((filter) => ({
    says: ['only ', ...partsOf(filter, collection)],
    conditions: [filter],
    go: () => onChange('', [filter]),
    isLess: false,
  }))
  return [...ofLine, ...ofFilters]
}

function waysOut({ collection, pieces, filters, onChange }: ChipsProps): readonly WayOut[] {
  const line = pieces.map(({ condition }) => condition)
  const fewerPieces = pieces.map((piece) => {
    const others = pieces.filter((one) => one !== piece)
    return {
      says: ['without ', ...partsOf(piece.condition, collection)],
      conditions: [...others.map(({ condition }) => condition), ...filters],
      go: () => onChange(writeLine(others), filters),
      isLess: true,
    }
  })
  const fewerFilters = filters.map((filter) => {
    const others = filters.filter((one) => one !== filter)
    return {
      says: ['without ', ...partsOf(filter, collection)],
      conditions: [...line, ...others],
      go: () => onChange(writeLine(pieces), others),
      isLess: true,
    }
  })
  const others = pieces.flatMap((piece) =>
    piece.otherwise.flatMap((text) => {
      const changed = writeLine(pieces.map((one) => (one === piece ? { text } : one)))
      const read = readLine(changed, vocabularyOf(collection, []))
      if ('fault' in read) return []
      const conditions = [...read.pieces.map(({ condition }) => condition), ...filters]
      return [{ says: [`${piece.text} as ${text}`], conditions, go: () => onChange(changed, filters), isLess: false }]
    }),
  )
  return [...others, ...fewerPieces, ...fewerFilters]
}

/** How many records each of these questions finds, as far as it is known; asked one after the other, until something else is asked. */
function useCounts(collection: string, questions: readonly (readonly Condition[])[]): readonly number[] {
  const [counts, setCounts] = useState<readonly number[]>([])
  const queries = JSON.stringify(questions.map(queryOf))
  useEffect(() => {
    const end = new AbortController()
    setCounts([])
    async function countAll(): Promise<void> {
      const found: number[] = []
      for (const query of JSON.parse(queries)) {
        const sent = { body: { query }, signal: end.signal }
        const { data } = await ask<{ readonly count: number }>('POST', `/${collection}/count`, sent)
        found.push(data.count)
        setCounts([...found])
      }
    }
    countAll().catch(() => null)
    return () => end.abort()
  }, [collection, queries])
  return counts
}
