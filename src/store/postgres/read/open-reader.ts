import type { NumberCipher } from '../../number-cipher.ts'
import { ColumnCache, type Handing } from '../../segments/column-cache.ts'
import { SelectionCache } from '../../segments/find-records.ts'
import type { ThreadMemory } from '../../threads/store-options.ts'
import type { Sql } from '../base/database.ts'
import { Chunks } from './chunks.ts'
import { Copies } from './copies.ts'
import { Homes } from './homes.ts'
import type { Reader } from './reader.ts'
import { Shelves } from './shelves.ts'
import { Texts } from './texts.ts'

interface ReaderTerms {
  readonly sql: Sql
  readonly replica: Sql | null
  readonly cipher: NumberCipher
  readonly areSpread: boolean
  readonly memory: ThreadMemory
  readonly handing?: Handing
}

export function openReader({ sql, replica, cipher, areSpread, memory, handing }: ReaderTerms): Reader {
  const homes = new Homes(sql, areSpread)
  const columns = new ColumnCache(memory.columns, null, handing)
  const texts = new Texts(memory.documents, areSpread)
  const shelves = new Shelves({
    sql,
    homes,
    columns,
    bytes: memory.views,
    forget: (numbers) => texts.forget(numbers),
    noteVersion: (shelf, version) => texts.noteVersion(shelf, version),
  })
  return {
    sql,
    copies: new Copies(sql, replica),
    homes,
    cipher,
    shelves,
    columns,
    chunks: new Chunks(columns),
    texts,
    selections: new SelectionCache(memory.selections),
  }
}
