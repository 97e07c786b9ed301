import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { afterAll, describe, expect, it } from 'vitest'
import { findOutputs, readRun } from '../../src/calculations/runs/read-run.ts'
import { vasprunText } from './vasprun-text.ts'

const folder = mkdtempSync(join(tmpdir(), 'quarry-damaged-'))
afterAll(() => rmSync(folder, { recursive: true }))

const WHOLE = gzipSync(vasprunText({}))
const FLIPPED = Buffer.from(WHOLE)
FLIPPED[WHOLE.length - 8] = (WHOLE.at(-8) ?? 0) ^ 0xff

async function read(name: string, bytes: Buffer | null) {
  const path = join(folder, name)
  writeFileSync(path, bytes ?? WHOLE)
  const { outputs } = await findOutputs([{ name, path }])
  if (bytes === null) rmSync(path)
  return readRun(outputs.map((output) => ({ ...output, path })))
}

describe('a packed output', () => {
  it('is read whole', async () => {
    const { calculations, refused } = await read('vasprun.xml.gz', WHOLE)
    expect([calculations.map(({ isWhole }) => isWhole), refused]).toEqual([[true], []])
  })

  it('that is still being packed is one without an end', async () => {
    const { calculations, refused } = await read('vasprun.xml.gz', WHOLE.subarray(0, WHOLE.length * 0.8))
    expect([calculations.map(({ isWhole }) => isWhole), refused]).toEqual([[false], []])
  })

  it.each([
    ['that is damaged', FLIPPED, 'What is packed in it is damaged: incorrect data check.'],
    ['that is taken away meanwhile', null, 'The file cannot be read: ENOENT.'],
  ])('%s is refused with the reason', async (_case, bytes, message) => {
    const { calculations, refused } = await read('vasprun.xml.gz', bytes)
    expect([calculations, refused]).toMatchObject([[], [{ name: 'vasprun.xml.gz', error: { message } }]])
  })
})
