import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { archivedFiles } from '../../src/records/import/archived-files.ts'
import { filesOfNoRun } from '../../web/pages/import/runs/files-of-no-run.ts'
import { portionsOf, shownPath } from '../../web/pages/import/runs/portions.ts'
import { tarOf } from '../../web/pages/import/runs/tar-of.ts'

const chosen = (path: string, content = 'x') => ({ path, file: new Blob([content]) })
const namesOf = (portion: { readonly sendings: readonly { readonly name: string }[] } | undefined) =>
  portion?.sendings.map(({ name }) => name)

describe('files that are sent in portions', () => {
  it('stay together with their folder, and what pw.x has written below with that', () => {
    const { portions } = portionsOf([
      chosen('runs/si/pw.out'),
      chosen('runs/si/x.save/data-file-schema.xml'),
      chosen('runs/ge/pw.out'),
    ])
    expect(portions).toHaveLength(1)
    expect(portions[0]).toMatchObject({ folders: 2, bytes: 3 })
    expect(namesOf(portions[0])).toEqual(['runs/si/pw.out', 'runs/si/x.save/data-file-schema.xml', 'runs/ge/pw.out'])
  })

  it('are as many in a request as it has room for', () => {
    const files = Array.from({ length: 1000 }, (_, at) => [
      chosen(`runs/${at}/vasprun.xml`),
      chosen(`runs/${at}/INCAR`),
    ]).flat()
    const { portions } = portionsOf(files)
    expect(portions.reduce((sum, { folders }) => sum + folders, 0)).toBe(1000)
    expect(portions.flatMap((one) => namesOf(one))).toEqual(files.map(({ path }) => path))
    for (const { sendings } of portions) {
      const body = JSON.stringify(sendings.map(({ name }) => ({ name, ticket: 't'.repeat(400) })))
      expect(body.length).toBeLessThan(60 * 1024)
    }
  })

  it('are one archive where a folder has many, and have their paths again when they are told of', async () => {
    const { portions } = portionsOf(Array.from({ length: 300 }, (_, at) => chosen(`si/wave${at}.dat`)))
    expect(namesOf(portions[0])).toEqual(['si.tar'])
    const [portion] = portions
    if (portion === undefined) throw new Error('nothing is sent')
    expect(shownPath(portion, 'si.tar/wave7.dat')).toBe('si/wave7.dat')
    const loose = portionsOf(Array.from({ length: 300 }, (_, at) => chosen(`${at}.cif`))).portions[0]
    if (loose === undefined) throw new Error('nothing is sent')
    expect(shownPath(loose, `${namesOf(loose)?.[0]}/7.cif`)).toBe('7.cif')
  })

  it('have other names at the server where their folder cannot be named so; files that cannot are left aside', () => {
    const { portions, leftAside } = portionsOf([
      chosen('T = 300 K: run/pw.out'),
      chosen('b/pw.out:zone'),
      chosen('b/pw.out'),
    ])
    const [portion] = portions
    if (portion === undefined) throw new Error('nothing is sent')
    const [strange = '', plain = ''] = namesOf(portion) ?? []
    expect(strange).toMatch(/^[\w-]+\/pw\.out$/)
    expect([shownPath(portion, strange), plain]).toEqual(['T = 300 K: run/pw.out', 'b/pw.out'])
    expect(leftAside).toEqual([
      { path: 'b/pw.out:zone', why: { says: expect.stringContaining('It cannot be called so') } },
    ])
  })

  it('are by themselves where they are archives, which are read or refused as a whole', () => {
    const { portions } = portionsOf([chosen('runs/a/pw.out'), chosen('runs/a/old.tar.gz'), chosen('b.zip')])
    expect(portions.map((one) => [one.isArchive, ...(namesOf(one) ?? [])])).toEqual([
      [false, 'runs/a/pw.out'],
      [true, 'runs/a/old.tar.gz'],
      [true, 'b.zip'],
    ])
  })
})

describe('files of no calculation', () => {
  const said = { calculations: [], unused: [], structures: [], licensed: [] }
  const sorted = (paths: readonly string[], answer: object) => {
    const files = paths.map((path) => chosen(path))
    const [portion] = portionsOf(files).portions
    if (portion === undefined) throw new Error('nothing is sent')
    const byPath = new Map(files.map((one) => [one.path, one]))
    const { structures, leftAside } = filesOfNoRun(portion, { ...said, ...answer }, byPath)
    return { structures: structures.map((file) => files.find((one) => one.file === file)?.path), leftAside }
  }

  it('are imported where they hold a structure, or were chosen one by one; others are left aside', () => {
    expect(
      sorted(['a/si.cif', 'a/notes.txt', 'a/POTCAR', 'bad.cif'], {
        unused: ['a/si.cif', 'a/notes.txt', 'a/POTCAR', 'bad.cif'],
        structures: ['a/si.cif'],
        licensed: ['a/POTCAR'],
      }),
    ).toEqual({
      structures: ['a/si.cif', 'bad.cif'],
      leftAside: [
        { path: 'a/notes.txt', why: 'useless' },
        { path: 'a/POTCAR', why: 'licensed' },
      ],
    })
  })

  it('make an archive one of structures, if nothing else is in it', () => {
    const unused = ['all.zip/si.cif', 'all.zip/read.me']
    const structures = ['all.zip/si.cif']
    expect(sorted(['all.zip'], { unused, structures })).toEqual({ structures: ['all.zip'], leftAside: [] })
    expect(sorted(['all.zip'], { unused, structures, calculations: [{ file: 'all.zip/a/pw.out' }] })).toEqual({
      structures: [],
      leftAside: [
        { path: 'all.zip/si.cif', why: 'packed-structure' },
        { path: 'all.zip/read.me', why: 'packed' },
      ],
    })
  })
})

describe('an archive of a folder', () => {
  let folder: string
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'quarry-tar-'))
  })
  afterAll(() => rm(folder, { recursive: true }))

  it('is read by the server, with names of any length and contents of any size', async () => {
    const long = `${'deep/'.repeat(30)}grün.dat`
    const contents: Readonly<Record<string, string>> = {
      'a.txt': 'first',
      empty: '',
      [long]: 'y'.repeat(513),
      last: 'z'.repeat(512),
    }
    const tar = tarOf(Object.entries(contents).map(([name, content]) => ({ name, content: new Blob([content]) })))
    const path = join(folder, 'all.tar')
    await writeFile(path, Buffer.from(await tar.arrayBuffer()))
    const read: Record<string, string> = {}
    for await (const { name, bytes } of archivedFiles({ name: 'all.tar', path })) {
      const pieces: Uint8Array[] = []
      for await (const piece of bytes) pieces.push(piece)
      read[name] = Buffer.concat(pieces).toString()
    }
    expect(read).toEqual(contents)
  })
})
