import type { Row } from './json-rows.ts'

/** What a key does in a tree. */
export interface TreeStep {
  readonly focus?: Row
  /** Rows to be opened. */
  readonly open?: readonly string[]
  readonly close?: Row
}

/** What a key does at a row, as trees have it everywhere; null for a key that is none of the tree's. */
export function stepInTree(rows: readonly Row[], row: Row, key: string): TreeStep | null {
  const at = rows.indexOf(row)
  const to = (found: Row | undefined): TreeStep => (found === undefined ? {} : { focus: found })
  switch (key) {
    case 'ArrowDown':
      return to(rows[at + 1])
    case 'ArrowUp':
      return to(rows[at - 1])
    case 'Home':
      return to(rows[0])
    case 'End':
      return to(rows.at(-1))
    case 'ArrowRight':
      return row.isOpen ? to(rows[at + 1]) : row.canOpen ? { open: [row.id] } : {}
    case 'ArrowLeft':
      return row.isOpen ? { close: row } : to(parentOf(rows, at))
    case 'Enter':
    case ' ':
      return row.isOpen ? { close: row } : row.canOpen ? { open: [row.id] } : {}
    case '*':
      return {
        open: siblingsOf(rows, at)
          .filter(({ canOpen }) => canOpen)
          .map(({ id }) => id),
      }
    default:
      return key.length === 1 ? to(namedFrom(rows, at, key)) : null
  }
}

function parentOf(rows: readonly Row[], at: number): Row | undefined {
  const { level = 1 } = rows[at] ?? {}
  return rows.slice(0, at).findLast((one) => one.level === level - 1)
}

function siblingsOf(rows: readonly Row[], at: number): readonly Row[] {
  const { level = 1 } = rows[at] ?? {}
  const isAbove = (one: Row) => one.level < level
  const start = rows.slice(0, at).findLastIndex(isAbove) + 1
  const end = rows.slice(at).findIndex(isAbove)
  return rows.slice(start, end === -1 ? undefined : at + end).filter((one) => one.level === level)
}

/** The next row whose name begins with a letter. */
function namedFrom(rows: readonly Row[], at: number, letter: string): Row | undefined {
  const sought = letter.toLowerCase()
  const begins = ({ path, range }: Row) => range === null && String(path.at(-1)).toLowerCase().startsWith(sought)
  return [...rows.slice(at + 1), ...rows.slice(0, at)].find(begins)
}
