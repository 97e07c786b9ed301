import { existsSync, mkdirSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { material } from '../http/support/records.ts'
import { newDataDirectory, runCli } from '../support/cli.ts'
import { RecordsWithFiles, sha256Of } from '../support/records-with-files.ts'
import { S3_KEY, S3Server } from '../support/s3-server.ts'
import { noticedHeaders, startServer, stopServers } from './server-process.ts'

const OUTCAR = Buffer.from('free  energy   TOTEN'.repeat(1000))
const CHGCAR = Buffer.alloc(100_000, 'abc')

let s3: S3Server
let directory: ReturnType<typeof newDataDirectory>
beforeEach(async () => {
  s3 = new S3Server()
  await s3.start()
  directory = newDataDirectory()
})
afterEach(async () => {
  await stopServers()
  await s3.stop()
  directory.remove()
})

const environment = (secret: string = S3_KEY.secret) => ({
  QUARRY_FILES_BUCKET: s3.url,
  QUARRY_FILES_BUCKET_REGION: S3_KEY.region,
  QUARRY_FILES_BUCKET_KEY_ID: S3_KEY.keyId,
  QUARRY_FILES_BUCKET_SECRET: secret,
})
const quarry = (parameters: readonly string[], secret?: string) =>
  runCli([...parameters, '--data', directory.data], { environment: environment(secret) })
const keyOf = (bytes: Uint8Array) => {
  const sha256 = sha256Of(bytes)
  return `files/${sha256.slice(0, 2)}/${sha256.slice(2, 4)}/${sha256}`
}

describe('files in a bucket', () => {
  it('are backed up from it, checked in it, and restored into it', async () => {
    const records = new RecordsWithFiles(directory.data, {
      filesBucket: s3.url,
      filesBucketRegion: S3_KEY.region,
      filesBucketKeyId: S3_KEY.keyId,
      filesBucketSecret: S3_KEY.secret,
    })
    const id = await records.begin()
    await records.put(id, { OUTCAR, CHGCAR })
    expect(s3.objects.get(keyOf(OUTCAR))?.bytes.equals(OUTCAR)).toBe(true)
    expect(existsSync(join(directory.data, keyOf(OUTCAR)))).toBe(false)
    const backups = join(dirname(directory.data), 'backups')
    mkdirSync(backups)
    const { file, files } = JSON.parse((await quarry(['backup', backups, '--json'])).stdout)
    expect(files).toMatchObject({ count: 2, copied: 2, missing: 0 })
    expect(await quarry(['check'])).toMatchObject({ exitCode: 0, stdout: 'ok\n' })
    s3.objects.delete(keyOf(OUTCAR))
    expect((await quarry(['check'])).stdout).toContain(`The file "OUTCAR" of record ${id} of materials is missing`)
    expect((await quarry(['restore', file, '--force'])).stdout).toContain('of which 1 were copied')
    expect(s3.objects.get(keyOf(OUTCAR))?.bytes.equals(OUTCAR)).toBe(true)
    const refused = await quarry(['check'], 'Zq-wrong-8843')
    expect(refused).toMatchObject({ exitCode: 3, stdout: expect.stringContaining('cannot be read') })
    expect(refused.stdout + refused.stderr).not.toContain('Zq-')
  })

  it('are served from it; its key is told to nobody, also where the bucket refuses', async () => {
    const server = await startServer(directory.data, ['--log-level', 'debug', '--access-log', '--no-samples'], {
      environment: environment('Zq-wrong-8843'),
    })
    const headers = noticedHeaders(server)
    const api = `${server.url}/api/2018-10-01/materials`
    const body = JSON.stringify(material('Si'))
    const json = { ...headers, 'content-type': 'application/json' }
    const { data } = (await (await fetch(api, { method: 'POST', headers: json, body })).json()) as {
      data: { _id: string }
    }
    const put = await fetch(`${api}/${data._id}/files/OUTCAR`, { method: 'PUT', headers, body: OUTCAR })
    const answer = await put.text()
    expect([put.status, JSON.parse(answer).code]).toEqual([503, 50312])
    await server.stop()
    expect([answer, server.stderr(), ...server.lines].join('\n')).not.toContain('Zq-')
  })
})
