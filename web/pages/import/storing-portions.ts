import { type Item, isPacked, type Said } from './import-item.ts'

/** Files that are stored by one request. */
export interface StoringPortion {
  readonly items: readonly Item[]
  readonly said: Said
}

const MOST_FILES = 40
const MOST_BYTES = 8 * 1024 * 1024

/** Puts files together that can be stored by one request: all of it is said of each, and reports are told apart by names. */
export function storingPortions(items: readonly Item[]): readonly StoringPortion[] {
  const portions: StoringPortion[] = []
  const open = new Map<string, Item[]>()
  for (const item of items) {
    const { file, said } = item
    // Of an archive there is a report on each file in it; a name is of one structure.
    if (isPacked(file) || said.name !== null) {
      portions.push({ items: [item], said })
      continue
    }
    const kind = JSON.stringify(said)
    const some = open.get(kind)
    if (some !== undefined && hasRoom(some, item)) some.push(item)
    else {
      const begun = [item]
      open.set(kind, begun)
      portions.push({ items: begun, said })
    }
  }
  return portions
}

function hasRoom(items: readonly Item[], { file }: Item): boolean {
  const bytes = items.reduce((sum, one) => sum + one.file.size, file.size)
  return items.length < MOST_FILES && bytes <= MOST_BYTES && items.every((one) => one.file.name !== file.name)
}
