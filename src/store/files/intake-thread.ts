import { createHash, type Hash } from 'node:crypto'
import {
  closeSync,
  existsSync,
  fsyncSync,
  ftruncateSync,
  mkdirSync,
  openSync,
  readSync,
  renameSync,
  utimesSync,
  writeSync,
} from 'node:fs'
import { dirname } from 'node:path'
import { crc32 } from 'node:zlib'
import { stepBack } from '../../kernel/step-back.ts'
import { serveCalls } from '../../kernel/worker-channel.ts'
import type { FileContent } from '../port/file-store.ts'
import { contentPath } from './content-path.ts'
import type { IntakeJob, IntakeOutcome } from './intake-job.ts'

/** Writes what arrives and sums it up: the thread that has the socket does nothing in proportion to it. */
stepBack('store')

interface OpenUpload {
  readonly path: string
  readonly file: number
  readonly hash: Hash
  size: number
  crc: number
}

const uploads = new Map<number, OpenUpload>()
let last = 0
const STEP = new Uint8Array(1024 * 1024)

function begin(path: string, offset: number): readonly [ticket: number, upload: OpenUpload] {
  for (const [ticket, upload] of uploads) if (upload.path === path) pause(ticket)
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 })
  const file = openSync(path, existsSync(path) ? 'r+' : 'w+', 0o600)
  const hash = createHash('sha256')
  let [size, crc] = [0, 0]
  while (size < offset) {
    const read = readSync(file, STEP, 0, Math.min(STEP.length, offset - size), size)
    if (read === 0) break
    hash.update(STEP.subarray(0, read))
    crc = crc32(STEP.subarray(0, read), crc)
    size += read
  }
  ftruncateSync(file, size)
  const upload = { path, file, hash, size, crc }
  last += 1
  uploads.set(last, upload)
  return [last, upload]
}

function write(ticket: number, bytes: Uint8Array): IntakeOutcome {
  const upload = uploads.get(ticket)
  if (upload === undefined) return { isOvertaken: true }
  for (let written = 0; written < bytes.length; ) {
    written += writeSync(upload.file, bytes, written, bytes.length - written, upload.size + written)
  }
  upload.hash.update(bytes)
  upload.crc = crc32(bytes, upload.crc)
  upload.size += bytes.length
  return { size: upload.size }
}

function pause(ticket: number): void {
  const upload = uploads.get(ticket)
  if (upload === undefined) return
  uploads.delete(ticket)
  closeSync(upload.file)
}

/** Takes the place of a content that is there already, which is the same bytes: it counts as used from now on, whoever is about to remove it. */
function keep({ path, folder, ticket: held }: Extract<IntakeJob, { kind: 'keep' }>): FileContent {
  const known = held === null ? undefined : uploads.get(held)
  const [ticket, upload] = known === undefined ? begin(path, Number.POSITIVE_INFINITY) : [held ?? 0, known]
  fsyncSync(upload.file)
  pause(ticket)
  const content = { sha256: upload.hash.digest('hex'), size: upload.size, crc32: upload.crc }
  const target = contentPath(folder, content.sha256)
  const made = mkdirSync(dirname(target), { recursive: true, mode: 0o700 })
  const now = new Date()
  utimesSync(path, now, now)
  renameSync(path, target)
  syncFolder(dirname(target))
  if (made !== undefined) for (const parent of [dirname(dirname(target)), folder]) syncFolder(parent)
  return content
}

function syncFolder(folder: string): void {
  const handle = openSync(folder, 'r')
  fsyncSync(handle)
  closeSync(handle)
}

function begunWith(ticket: number, { size }: OpenUpload): IntakeOutcome {
  return { begun: { ticket, size } }
}

function carryOut(job: IntakeJob): IntakeOutcome {
  switch (job.kind) {
    case 'begin':
      return begunWith(...begin(job.path, job.offset))
    case 'write':
      return write(job.ticket, job.bytes)
    case 'pause':
      pause(job.ticket)
      return { size: 0 }
    case 'keep':
      return { content: keep(job) }
  }
}

serveCalls<IntakeJob, IntakeOutcome>(async (job) => {
  try {
    return { result: carryOut(job), handOver: [] }
  } catch (error) {
    const { code = null, message } = error as NodeJS.ErrnoException
    return { result: { fault: { code, message } }, handOver: [] }
  }
})
