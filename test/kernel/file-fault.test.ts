import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { explainDenial, explainFileFault, presenceOf, userNames } from '../../src/kernel/file-fault.ts'

const nameOf = userNames('root:x:0:0:root:/root:/bin/bash\nquarry:x:998:998::/srv/quarry:/sbin/nologin\n')
const FILE = '/srv/quarry/data/quarry.db'

describe('what keeps a user from a file', () => {
  test('is told with owner, mode, user and both remedies when it belongs to another one', () => {
    const denied = { path: FILE, isDirectory: false, uid: 0, mode: 0o600 }
    expect(explainDenial(denied, FILE, { uid: 998, nameOf })).toEqual({
      reason: 'it belongs to root (mode 600), and this runs as quarry',
      hint: `Run it as that user, with sudo -u root; or give it to the other one: sudo chown quarry ${FILE}`,
    })
  })

  test('names the directory or the file beside it that is in the way', () => {
    const denied = { path: '/srv/quarry', isDirectory: true, uid: 998, mode: 0o700 }
    expect(explainDenial(denied, FILE, { uid: 1234, nameOf })).toMatchObject({
      reason: 'the directory /srv/quarry belongs to quarry (mode 700), and this runs as #1234',
    })
    const beside = { path: `${FILE}-wal`, isDirectory: false, uid: 0, mode: 0o644 }
    expect(explainDenial(beside, FILE, { uid: 998, nameOf }).reason).toMatch(
      /^\/srv\/quarry\/data\/quarry\.db-wal belongs/,
    )
  })

  test('is the mode, where the file is the user’s own', () => {
    const denied = { path: '/srv/quarry', isDirectory: true, uid: 998, mode: 0o070 }
    expect(explainDenial(denied, FILE, { uid: 998, nameOf })).toEqual({
      reason:
        'the directory /srv/quarry belongs to quarry (mode 070), whom this mode keeps out, and this runs as quarry',
      hint: 'chmod u+rwx /srv/quarry',
    })
  })
})

describe('a fault of a file', () => {
  let directory: string
  beforeEach(() => {
    directory = mkdtempSync(join(tmpdir(), 'quarry-fault-'))
  })
  afterEach(() => {
    chmodSync(directory, 0o700)
    rmSync(directory, { recursive: true, force: true })
  })

  const explain = (code: string, file: string) =>
    explainFileFault(Object.assign(new Error(`${code}: as the system says it`), { code }), file, 'write')

  test.each([
    ['ENOSPC', 'there is no room left on its disk'],
    ['SQLITE_FULL', 'there is no room left on its disk'],
    ['EROFS', 'its disk is mounted for reading only'],
    ['EISDIR', 'it is a directory'],
    ['ENOENT', 'there is no such file'],
  ])('%s is said in words, with a remedy', (code, reason) => {
    const fault = explain(code, join(directory, 'file'))
    expect(fault.reason).toBe(reason)
    expect(fault.hint).not.toBe('')
  })

  test('in a directory that is not there names the directory', () => {
    const file = join(directory, 'none', 'file')
    expect(explain('SQLITE_CANTOPEN', file).reason).toBe(`the directory ${join(directory, 'none')} does not exist`)
  })

  test('that no permission explains keeps the words of the system and tells whose the file is', () => {
    const file = join(directory, 'file')
    writeFileSync(file, '')
    chmodSync(file, 0o640)
    expect(explain('SQLITE_NOTADB', file).reason).toMatch(
      /^SQLITE_NOTADB: as the system says it \(it belongs to \S+, mode 640; this runs as \S+\)$/,
    )
  })

  test.skipIf(process.getuid?.() === 0)('of permissions names what is in the way (root is never denied)', () => {
    const file = join(directory, 'inner', 'file')
    mkdirSync(join(directory, 'inner'))
    writeFileSync(file, '')
    chmodSync(file, 0o400)
    expect(explain('EACCES', file).hint).toBe(`chmod u+rw ${file}`)
    chmodSync(directory, 0o000)
    expect(explain('EACCES', file).hint).toBe(`chmod u+rwx ${directory}`)
    expect(presenceOf(file)).toBe('hidden')
  })

  test('presence tells what is there from what is missing', () => {
    expect(presenceOf(directory)).toBe('there')
    expect(presenceOf(join(directory, 'none'))).toBe('missing')
  })
})
