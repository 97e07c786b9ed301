import { readFileSync, writeFileSync } from 'node:fs'
import Database from 'better-sqlite3'

/** The bytes of a page. */
export const PAGE = 4096

/** The pages of a table or index. */
export function pagesOf(file: string, name: string, type = 'leaf'): readonly number[] {
  const connection = new Database(file, { readonly: true })
  try {
    return connection
      .prepare<[string, string], number>('SELECT pageno FROM dbstat WHERE name = ? AND pagetype = ? ORDER BY path')
      .pluck()
      .all(name, type)
  } finally {
    connection.close()
  }
}

/** Changes the bytes of a file. */
export function patch(file: string, change: (bytes: Buffer) => void): void {
  const bytes = readFileSync(file)
  change(bytes)
  writeFileSync(file, bytes)
}

export function zeroPage(file: string, page: number | undefined): void {
  if (page === undefined) throw new Error('there is no such page')
  patch(file, (bytes) => bytes.fill(0, (page - 1) * PAGE, page * PAGE))
}
