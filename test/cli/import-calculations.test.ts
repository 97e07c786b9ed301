import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { strToU8, zipSync } from 'fflate'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { SAMPLES_DIRECTORY } from '../../src/records/samples/library.ts'
import { type CliResult, newDataDirectory, runCli } from '../support/cli.ts'

const RUNS = join(SAMPLES_DIRECTORY, 'calculations')
const CRYSTAL = 'Si\n1.0\n3 0 0\n0 3 0\n0 0 3\nSi\n1\nDirect\n0 0 0\n'

const directory = newDataDirectory()
const runs = mkdtempSync(join(tmpdir(), 'quarry-runs-'))
let first: CliResult
const importRuns = (...more: readonly string[]) =>
  runCli(['import', runs, '--user', 'ada', '--data', directory.data, ...more])

beforeAll(async () => {
  const user = ['user', 'create', 'ada', '--password-stdin', '--data', directory.data]
  await runCli(user, { input: 'correct horse battery' })
  cpSync(join(RUNS, 'silicon-relaxed'), join(runs, 'relaxed'), { recursive: true })
  writeFileSync(join(runs, 'relaxed', 'POTCAR'), 'licensed')
  mkdirSync(join(runs, 'two', 'cut'), { recursive: true })
  const output = readFileSync(join(RUNS, 'silicon-pbe', 'pw.out'), 'utf8')
  writeFileSync(join(runs, 'two', 'pbe.out'), output)
  cpSync(join(RUNS, 'silicon-lda', 'pw.out'), join(runs, 'two', 'lda.out'))
  writeFileSync(join(runs, 'two', 'other.vasp'), CRYSTAL)
  writeFileSync(join(runs, 'two', 'cut', 'pw.out'), output.slice(0, 20_000))
  writeFileSync(join(runs, 'notes.txt'), 'hello')
  const packed = { 'hse/pw.out': readFileSync(join(RUNS, 'silicon-hse', 'pw.out')), 'hse/POTCAR': strToU8('licensed') }
  writeFileSync(join(runs, 'packed.zip'), zipSync(packed))
  writeFileSync(join(runs, 'structures.zip'), zipSync({ 'POSCAR.vasp': strToU8(CRYSTAL.replace('1.0', '2.0')) }))
  first = await importRuns()
})
afterAll(() => {
  directory.remove()
  rmSync(runs, { recursive: true })
})

describe('quarry import of a tree of calculations', () => {
  it('says what it has made of each, and how many', () => {
    const lines = first.stdout.trimEnd().split('\n')
    const made = [
      ['packed.zip/hse/pw.out', String.raw`Si \(there already\)`, 7],
      ['relaxed/pw.out', 'Si → Si', 8],
      ['two/cut/pw.out', String.raw`Si \(there already\)`, 0],
      ['two/lda.out', String.raw`Si \(there already\)`, 8],
      ['two/pbe.out', String.raw`Si \(there already\)`, 8],
    ].map(([file, materials, count]) =>
      expect.stringMatching(new RegExp(`/${file}: ${materials}, job \\w{17}, ${count} properties$`)),
    )
    expect(lines.slice(0, -2).sort()).toEqual(made)
    expect(lines.slice(-2)).toEqual(['2 stored, 0 skipped, 0 refused', 'calculations: 5 stored, 0 skipped, 0 refused'])
    expect(first.exitCode).toBe(0)
    expect(first.stderr).toContain('What an output says beside is named in leftOut of its job.')
  })

  it('warns of an output that is not whole before all else', () => {
    expect(first.stderr).toMatch(/cut\/pw\.out: warning: The output has no end/)
  })

  it('names what it has not kept, each with the reason', () => {
    expect(first.stderr).toMatch(/relaxed\/POTCAR: passed over, since/)
    expect(first.stderr).toMatch(
      /packed\.zip\/hse\/POTCAR: passed over, since potentials of VASP are not to be handed on/,
    )
    expect(first.stderr).toMatch(/notes\.txt: passed over, of no known format/)
  })

  it('makes a material of a structure that belongs to none of several outputs', async () => {
    const query = JSON.stringify({ 'lattice.a': 3 })
    const { stdout } = await runCli(['export', '--kind', 'materials', '--query', query, '--data', directory.data])
    expect(JSON.parse(stdout)).toMatchObject({ formula: 'Si' })
  })

  it('goes on where an archive or an output is damaged, whatever is in it', async () => {
    const broken = mkdtempSync(join(tmpdir(), 'quarry-broken-'))
    const output = readFileSync(join(RUNS, 'silicon-hse', 'pw.out'))
    const [packed, tarred] = [gzipSync(output), gzipSync(Buffer.alloc(20_000, 'run/pw.out'))]
    packed[packed.length - 8] = (packed.at(-8) ?? 0) ^ 0xff
    mkdirSync(join(broken, 'a'))
    writeFileSync(join(broken, 'a', 'pw.out.gz'), packed)
    writeFileSync(join(broken, 'a.tar.gz'), tarred.subarray(0, 60))
    writeFileSync(join(broken, 'a.zip'), 'no archive')
    writeFileSync(join(broken, 'b.aiida'), 'no archive')
    writeFileSync(join(broken, 'c.vasp'), CRYSTAL.replace('1.0', '3.0'))
    const { stdout, stderr, exitCode } = await runCli(['import', broken, '--user', 'ada', '--data', directory.data])
    rmSync(broken, { recursive: true })
    expect(stdout).toMatch(/a\/pw\.out\.gz: What is packed in it is damaged: incorrect data check/)
    expect(stdout + stderr).toMatch(/a\.zip: /)
    expect(stdout + stderr).toMatch(/a\.tar\.gz: /)
    expect(stdout).toMatch(/b\.aiida: The archive cannot be read/)
    expect([stdout.includes('\n1 stored'), exitCode]).toEqual([true, 1])
  })

  it('stores nothing twice when it is run again', async () => {
    const { stdout, exitCode } = await importRuns('--json')
    const lines = stdout
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line))
    expect(lines.filter(({ jobId }) => jobId !== undefined).map(({ outcome }) => outcome)).toEqual(
      Array(5).fill('skipped'),
    )
    expect(lines).toContainEqual({ calculations: { stored: 0, skipped: 5, refused: 0 } })
    expect(lines).toContainEqual(expect.objectContaining({ stored: 0, skipped: 2, refused: 0 }))
    expect(exitCode).toBe(0)
  })

  it('names files that have come to a folder since its run was stored', async () => {
    writeFileSync(join(runs, 'relaxed', 'later.in'), '&control /')
    const given = ['import', join(runs, 'relaxed'), '--user', 'ada', '--data', directory.data]
    const { stdout, stderr } = await runCli(given)
    expect(stderr).toMatch(/relaxed\/pw\.out: warning: later\.in: not with job \w{17}, which was stored before/)
    expect(stdout).toMatch(/^calculations: 0 stored, 1 skipped, 0 refused$/m)
    rmSync(join(runs, 'relaxed', 'later.in'))
  })

  it('leaves what has no end, where finished ones are asked for', async () => {
    const cut = join(runs, 'two', 'cut')
    const output = readFileSync(join(cut, 'pw.out'), 'utf8')
    // It has been written on since it was stored.
    writeFileSync(join(cut, 'pw.out'), output.slice(0, -1000))
    const imported = ['import', cut, '--user', 'ada', '--data', directory.data]
    const { stdout, stderr, exitCode } = await runCli([...imported, '--finished'])
    expect(stderr).toMatch(/cut\/pw\.out: passed over, since its output has no end/)
    expect(stdout).toMatch(/^calculations: 0 stored, 0 skipped, 0 refused, 1 without an end$/m)
    expect(exitCode).toBe(0)
    expect((await runCli(imported)).stdout).toMatch(/^calculations: 1 stored, 0 skipped, 0 refused$/m)
  })

  it('counts calculations alone where there is nothing else', async () => {
    const { stdout } = await runCli(['import', join(runs, 'relaxed'), '--user', 'ada', '--data', directory.data])
    expect(stdout).toMatch(/^calculations: 0 stored, 1 skipped, 0 refused$/m)
    expect(stdout).not.toMatch(/^0 stored/m)
  })
})
