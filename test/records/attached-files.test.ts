import { expect, it } from 'vitest'
import { isOf } from '../../src/kernel/errors.ts'
import { type AttachedFile, MOST_FILES, mediaTypeOfName, withFile } from '../../src/records/attached-files.ts'
import { RECORD_ERRORS } from '../../src/records/errors.ts'

const file = (name: string): AttachedFile => ({
  name,
  size: 1,
  sha256: 'a'.repeat(64),
  crc32: 0,
  type: 'text/plain',
  createdAt: '2026-01-01T00:00:00.000Z',
})

it('a record has so many files and no more, but another one in the place of one of its name', () => {
  const files = Array.from({ length: MOST_FILES }, (_, n) => file(`f${n}`))
  expect(withFile(files, { ...file('f7'), size: 2 }).find(({ name }) => name === 'f7')?.size).toBe(2)
  try {
    withFile(files, file('one more'))
    expect.unreachable()
  } catch (error) {
    expect(isOf(RECORD_ERRORS.tooManyAttached, error)).toBe(true)
  }
})

it.each([
  ['vasprun.xml', 'application/xml'],
  ['relax/OUTCAR', 'text/plain'],
  ['OUTCAR.gz', 'application/gzip'],
  ['page.html', 'application/octet-stream'],
  ['drawing.svg', 'application/octet-stream'],
  ['no-extension', 'application/octet-stream'],
])('%s is of the type %s', (name, type) => {
  expect(mediaTypeOfName(name)).toBe(type)
})
