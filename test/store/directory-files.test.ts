import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { isOf } from '../../src/kernel/errors.ts'
import { STORE_ERRORS } from '../../src/store/errors.ts'
import { DirectoryFiles } from '../../src/store/files/directory-files.ts'

let folder: string
let files: DirectoryFiles
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'quarry-files-'))
  files = new DirectoryFiles(folder)
})
afterEach(async () => {
  await files.close()
  rmSync(folder, { recursive: true })
})

async function* pieces(...texts: readonly string[]): AsyncGenerator<Uint8Array> {
  for (const text of texts) yield Buffer.from(text)
}
const textOf = async (sha256: string, ...range: readonly { from: number; to: number }[]) => {
  const chunks: Uint8Array[] = []
  for await (const chunk of files.read(sha256, range[0])) chunks.push(chunk)
  return Buffer.concat(chunks).toString()
}
const kept = async (name: string, ...texts: readonly string[]) => {
  await files.take(name, 0, pieces(...texts))
  return files.keep(name)
}
const ABC = 'ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad'

describe('a content', () => {
  it('lies under its hash, once, however it came', async () => {
    expect(await kept('a', 'a', 'bc')).toEqual({ sha256: ABC, size: 3, crc32: 0x352441c2 })
    expect(await kept('b', 'abc')).toMatchObject({ sha256: ABC })
    expect(readFileSync(join(folder, 'ba', '78', ABC), 'utf8')).toBe('abc')
    expect(await textOf(ABC, { from: 1, to: 2 })).toBe('b')
    expect(await files.find(ABC)).toBe(3)
  })

  it('that is not there is told', async () => {
    expect(await files.find(ABC)).toBeNull()
    const refusal = await textOf(ABC).catch((error: unknown) => error)
    expect(isOf(STORE_ERRORS.fileMissing, refusal)).toBe(true)
  })

  it('goes when nothing has used it for long enough, and not otherwise', async () => {
    await kept('a', 'abc')
    const unused = async (milliseconds: number) => {
      const found: string[] = []
      for await (const sha256 of files.unusedFor(milliseconds)) found.push(sha256)
      return found
    }
    expect(await unused(60_000)).toEqual([])
    expect(await unused(0)).toEqual([ABC])
    expect(await files.remove(ABC, 60_000)).toBeNull()
    expect(await textOf(ABC)).toBe('abc')
    expect(await files.remove(ABC, 0)).toBe(3)
    expect(await files.find(ABC)).toBeNull()
  })
})

describe('an upload', () => {
  it('that breaks off is gone on with, by another run of the server too', async () => {
    async function* breaking(): AsyncGenerator<Uint8Array> {
      yield Buffer.from('ab')
      throw new Error('gone')
    }
    await expect(files.take('a', 0, breaking())).rejects.toThrow('gone')
    await files.close()
    files = new DirectoryFiles(folder)
    expect(await files.arrived('a')).toBe(2)
    expect(await files.take('a', 2, pieces('c'))).toBe(3)
    expect(await files.keep('a')).toMatchObject({ sha256: ABC })
    expect(await files.arrived('a')).toBe(0)
  })

  it('is of whoever began last: who began before is told', async () => {
    let goOn = (): void => {}
    const paused = new Promise<void>((resolve) => {
      goOn = resolve
    })
    async function* slow(): AsyncGenerator<Uint8Array> {
      yield Buffer.from('x')
      await paused
      yield Buffer.from('y')
    }
    const first = files.take('a', 0, slow()).catch((error: unknown) => error)
    await expect.poll(() => files.arrived('a')).toBe(1)
    expect(await files.take('a', 0, pieces('abc'))).toBe(3)
    goOn()
    expect(isOf(STORE_ERRORS.uploadTakenOver, await first)).toBe(true)
    expect(await files.keep('a')).toMatchObject({ sha256: ABC })
  })

  it('that cannot be written says why', async () => {
    writeFileSync(join(folder, 'incoming'), 'a file in the way')
    const refusal = await files.take('a', 0, pieces('abc')).catch((error: unknown) => error)
    expect(isOf(STORE_ERRORS.filesNotWritable, refusal)).toBe(true)
  })
})
