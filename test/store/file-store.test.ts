import { mkdtemp, rename, rm, utimes, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { contentPath } from '../../src/store/files/content-path.ts'
import { DirectoryFiles } from '../../src/store/files/directory-files.ts'
import { fileStoreContract, type OpenFiles } from '../contract/file-store.contract.ts'

async function inDirectory(): Promise<OpenFiles & { readonly folder: string }> {
  const folder = await mkdtemp(join(tmpdir(), 'quarry-files-'))
  const files = new DirectoryFiles(folder)
  const age = async (path: string, milliseconds: number) => {
    const then = new Date(Date.now() - milliseconds)
    await utimes(path, then, then)
  }
  return {
    folder,
    files,
    again: async () => new DirectoryFiles(folder),
    age: (sha256, milliseconds) => age(contentPath(folder, sha256), milliseconds),
    ageUpload: (upload, milliseconds) => age(join(folder, 'incoming', `${upload}.part`), milliseconds),
    async dispose() {
      await files.close()
      await rm(folder, { recursive: true, force: true })
    },
  }
}

fileStoreContract('a directory', inDirectory)

async function* one(bytes: readonly number[]): AsyncGenerator<Uint8Array> {
  yield Uint8Array.from(bytes)
}

it('says why a file cannot be stored', async () => {
  const { folder, dispose } = await inDirectory()
  await writeFile(join(folder, 'no folder'), '')
  const files = new DirectoryFiles(join(folder, 'no folder'))
  await expect(files.take('u', 0, one([1]))).rejects.toMatchObject({ code: 50312 })
  await files.close()
  await dispose()
})

it('puts back what a process that was killed had taken aside to remove it', async () => {
  const { files, folder, dispose } = await inDirectory()
  await files.take('u', 0, one([1, 2, 3]))
  const { sha256 } = await files.keep('u')
  const path = contentPath(folder, sha256)
  await rename(path, `${path}.removed`)
  const read: Uint8Array[] = []
  for await (const part of files.read(sha256)) read.push(part)
  expect(Buffer.concat(read)).toHaveLength(3)
  for await (const found of files.unusedFor(1000)) expect(found).toBe('none')
  expect(await files.find(sha256)).toBe(3)
  await dispose()
})
