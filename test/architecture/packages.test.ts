import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'

interface Manifest {
  readonly dependencies: Readonly<Record<string, string>>
  readonly devDependencies: Readonly<Record<string, string>>
  readonly bin: Readonly<Record<string, string>>
}

interface Lock {
  readonly packages: Readonly<
    Record<string, { readonly version?: string; readonly optionalDependencies?: Readonly<Record<string, string>> }>
  >
}

const read = <T>(file: string) => JSON.parse(readFileSync(new URL(`../../${file}`, import.meta.url), 'utf8')) as T
const manifest = read<Manifest>('package.json')
const lock = read<Lock>('package-lock.json')

describe('the packages', () => {
  it('are pinned to one version each, the same in package.json and in the lock', () => {
    for (const [name, version] of Object.entries({ ...manifest.dependencies, ...manifest.devDependencies })) {
      expect(version, name).toMatch(/^\d+\.\d+\.\d+$/)
      expect(lock.packages[`node_modules/${name}`]?.version, name).toBe(version)
    }
  })

  it('are locked for every platform: `npm ci` refuses a lock that leaves out the binaries of the others', () => {
    const locked = Object.keys(lock.packages)
    const optional = Object.values(lock.packages).flatMap((entry) => Object.keys(entry.optionalDependencies ?? {}))
    const missing = optional.filter((name) => !locked.some((path) => path.endsWith(`node_modules/${name}`)))
    expect(missing).toEqual([])
  })

  it('give the command `quarry` a file that the build makes', () => {
    const source = manifest.bin.quarry?.replace('dist/', 'src/').replace(/\.js$/, '.ts') ?? ''
    expect(readFileSync(new URL(`../../${source}`, import.meta.url), 'utf8')).toMatch(/^#!\/usr\/bin\/env node\n/)
  })
})
