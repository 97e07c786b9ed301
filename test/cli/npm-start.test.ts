import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { cpSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { isBuilt } from '../../scripts/build.mjs'
import { environmentOfNobody, newDataDirectory } from '../support/cli.ts'

const ROOT = fileURLToPath(new URL('../..', import.meta.url))

// Without a build it would compile into the checkout while other tests read from it; `npm test` builds first.
it.skipIf(!isBuilt())(
  '`npm start` passes its arguments on, serves, and takes the server with it when it is stopped',
  async () => {
    const { data, remove } = newDataDirectory()
    const parameters = ['start', '--silent', '--', '--port', '0', '--data', data, '--no-samples']
    const npm = spawn('npm', parameters, { cwd: ROOT, env: environmentOfNobody() })
    try {
      const url = await listeningUrl(npm.stdout, npm.stderr)
      expect((await fetch(`${url}/healthz`)).status).toBe(200)
      npm.kill('SIGTERM')
      await once(npm.stdout, 'close')
      await expect(fetch(`${url}/healthz`)).rejects.toThrow()
    } finally {
      npm.kill('SIGTERM')
      remove()
    }
  },
)

describe('the command that npm links', () => {
  const script = join(ROOT, 'scripts', 'quarry.mjs')

  it('says what to do where nothing is built', () => {
    const folder = mkdtempSync(join(tmpdir(), 'quarry-unbuilt-'))
    const copy = join(folder, 'scripts', 'quarry.mjs')
    try {
      cpSync(script, copy)
      const { status, stderr } = spawnSync(process.execPath, [copy, '--version'], { encoding: 'utf8' })
      expect([status, stderr]).toEqual([1, expect.stringContaining('Run npm start')])
    } finally {
      rmSync(folder, { recursive: true })
    }
  })

  it.skipIf(!isBuilt())('runs what is built, and may be executed', () => {
    const { status, stdout } = spawnSync(script, ['--version'], { encoding: 'utf8' })
    expect([status, stdout]).toEqual([0, expect.stringMatching(/^quarry \d+\.\d+\.\d+/)])
  })
})

async function listeningUrl(output: NodeJS.ReadableStream, errors: NodeJS.ReadableStream): Promise<string> {
  let told = ''
  errors.setEncoding('utf8')
  errors.on('data', (text: string) => {
    told += text
  })
  const lines = createInterface({ input: output })
  for await (const line of lines) {
    const url = /^listening on (http:\S+)$/.exec(line)?.[1]
    if (url !== undefined) {
      output.resume()
      return url
    }
  }
  throw new Error(`npm start ended before it listened; it said: ${told}`)
}
