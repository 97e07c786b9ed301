import { createHash } from 'node:crypto'
import { rmSync, truncateSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { createUser } from '../../src/accounts/users.ts'
import { readConfig } from '../../src/app/config.ts'
import { filesFolder, openServices, type Services } from '../../src/app/open-services.ts'
import { operatorSession } from '../../src/cli/console/operator-session.ts'
import { materialKind } from '../../src/records/kinds/material/material-kind.ts'
import { createRecord } from '../../src/records/use-cases/create-record.ts'
import { putFile, removeFile } from '../../src/records/use-cases/files.ts'
import type { Collection } from '../../src/records/work/deps.ts'
import { contentPath } from '../../src/store/files/content-path.ts'
import { material } from '../http/support/records.ts'

async function* once(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  yield Uint8Array.from(bytes)
}

/** Records with files in some data, made by the use cases; `settings` for data that are elsewhere. */
export class RecordsWithFiles {
  readonly #data: string
  readonly #settings: Readonly<Record<string, string>>

  constructor(data: string, settings: Readonly<Record<string, string>> = {}) {
    this.#data = data
    this.#settings = settings
  }

  /** Makes the user and a material; gives its id. */
  begin(): Promise<string> {
    return this.#within(async (collection) => (await createRecord(collection, material('Si') as never)).id, true)
  }

  put(id: string, files: Readonly<Record<string, Uint8Array>>): Promise<void> {
    return this.#within(async (collection) => {
      for (const [name, bytes] of Object.entries(files)) {
        const arriving = { id, name, bytes: once(bytes), offset: 0, total: bytes.length, sha256: null }
        await putFile(collection, arriving)
      }
    })
  }

  remove(id: string, name: string): Promise<void> {
    return this.#within(async (collection) => {
      await removeFile(collection, { id, name })
    })
  }

  lose(bytes: Uint8Array): void {
    rmSync(this.#pathOf(bytes))
  }

  damage(bytes: Uint8Array): void {
    truncateSync(this.#pathOf(bytes), bytes.length - 1)
  }

  putBack(bytes: Uint8Array): void {
    writeFileSync(this.#pathOf(bytes), bytes)
  }

  #pathOf(bytes: Uint8Array): string {
    return contentPath(filesFolder({ data: this.#data }), sha256Of(bytes))
  }

  async #within<T>(work: (collection: Collection) => Promise<T>, isNew = false): Promise<T> {
    const terms = { symmetry: 'off', passwordMemoryKib: '1024', workerThreads: '1' } as const
    const services: Services = await openServices(
      readConfig({ data: this.#data, ...terms, ...this.#settings }, {}, null),
    )
    try {
      if (isNew) await createUser(services.accounts, { name: 'ada', password: 'correct horse battery' })
      const session = await operatorSession(services.accounts, 'ada')
      return await work({ deps: services.records, kind: materialKind, session })
    } finally {
      await services.close()
    }
  }
}

export function sha256Of(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex')
}

/** Makes contents in a folder as old as two days. */
export function ageContents(folder: string, contents: readonly Uint8Array[]): void {
  const then = new Date(Date.now() - 2 * 86_400_000)
  for (const bytes of contents) utimesSync(contentPath(folder, sha256Of(bytes)), then, then)
}

export function beside(file: string, bytes: Uint8Array): string {
  return contentPath(join(file, '..', 'quarry-files'), sha256Of(bytes))
}
