import { execFileSync } from 'node:child_process'
import { closeSync, mkdirSync, mkdtempSync, openSync, rmSync, statfsSync, writeSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** A disk of its own, as small as a test needs it. */
export interface SmallDisk {
  readonly directory: string
  /** Takes room until so many bytes are left. */
  fill(freeBytes: number): void
  /** Gives the room back. */
  empty(): void
  remove(): void
}

/** Whether disks can be mounted here, which takes root: elsewhere there is no disk that could be full. */
export const CAN_MOUNT = canMount()

/** Mounts a disk in memory. */
export function mountSmallDisk(mebibytes: number): SmallDisk {
  const directory = mkdtempSync(join(tmpdir(), 'quarry-disk-'))
  mount(directory, mebibytes)
  const filler = join(directory, 'filler')
  return {
    directory,
    fill(freeBytes) {
      const file = openSync(filler, 'a')
      try {
        const block = Buffer.alloc(4096)
        while (freeOf(directory) > freeBytes) writeSync(file, block)
      } finally {
        closeSync(file)
      }
    },
    empty: () => rmSync(filler, { force: true }),
    remove() {
      execFileSync('umount', ['-l', directory], { stdio: 'ignore' })
      rmSync(directory, { recursive: true, force: true })
    },
  }
}

function freeOf(directory: string): number {
  const { bavail, bsize } = statfsSync(directory)
  return bavail * bsize
}

function mount(directory: string, mebibytes: number): void {
  mkdirSync(directory, { recursive: true })
  execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${mebibytes}m`, 'tmpfs', directory], { stdio: 'ignore' })
}

function canMount(): boolean {
  if (process.platform !== 'linux') return false
  const directory = mkdtempSync(join(tmpdir(), 'quarry-mount-'))
  try {
    mount(directory, 1)
    execFileSync('umount', [directory], { stdio: 'ignore' })
    return true
  } catch {
    return false
  } finally {
    rmSync(directory, { recursive: true, force: true })
  }
}
