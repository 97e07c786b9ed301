import { createHash } from 'node:crypto'
import type { Progress } from '../../kernel/worker-channel.ts'
import { DAMAGED, faultInWords, MISSING } from '../errors.ts'
import type { FileStore } from '../port/file-store.ts'
import type { ListedFile, ListedFiles } from '../port/named-files.ts'

/** A content that is not what a record says of it. */
export interface ContentFault extends ListedFile {
  /** Finishes a sentence: `is missing`. */
  readonly fault: string
}

/** Says of a fault whose file it is. */
export function describeFault({ name, of, sha256, fault }: ContentFault): string {
  return `The file ${JSON.stringify(name)} of ${of} ${fault} (content ${sha256}).`
}

/** Reads all contents that are listed, and gives those that are missing or damaged. Progress is in bytes. */
export async function verifyContents(
  files: FileStore,
  listed: ListedFiles,
  progress: Progress,
): Promise<readonly ContentFault[]> {
  const faults: ContentFault[] = []
  const passed = counter(listed, progress)
  for (const file of listed) {
    const fault = await faultOf(files, file, passed)
    if (fault !== null) faults.push({ ...file, fault })
  }
  return faults
}

/** Looks whether all contents that are listed are there, in their sizes, without reading them. */
export async function missingContents(files: FileStore, listed: ListedFiles): Promise<readonly ContentFault[]> {
  const faults: ContentFault[] = []
  for (const file of listed) {
    const size = await files.find(file.sha256)
    if (size === null) faults.push({ ...file, fault: MISSING })
    else if (size !== file.size) faults.push({ ...file, fault: DAMAGED })
  }
  return faults
}

export interface CopiedContents {
  readonly count: number
  readonly bytes: number
  /** Contents that could not be copied. */
  readonly faults: readonly ContentFault[]
}

/** Copies the contents that are listed and not there yet; what was interrupted goes on when asked again. `verifies`: those that are there are read, too. */
export async function copyContents(
  from: FileStore,
  to: FileStore,
  listed: ListedFiles,
  { progress, verifies = false }: { readonly progress: Progress; readonly verifies?: boolean },
): Promise<CopiedContents> {
  let [count, bytes] = [0, 0]
  const faults: ContentFault[] = []
  const passed = counter(listed, progress)
  for (const file of listed) {
    if (await isThere(to, file, verifies)) {
      passed(file.size)
      continue
    }
    const fault = await copyContent(from, to, file, passed)
    if (fault === null) {
      count += 1
      bytes += file.size
    } else faults.push({ ...file, fault })
  }
  return { count, bytes, faults }
}

async function isThere(files: FileStore, file: ListedFile, verifies: boolean): Promise<boolean> {
  if ((await files.find(file.sha256)) !== file.size) return false
  return !verifies || (await faultOf(files, file, () => {})) === null
}

/** Copies and sums up what is copied; gives its fault, or null. What fails of the place that is written to is thrown. */
async function copyContent(
  from: FileStore,
  to: FileStore,
  { sha256 }: ListedFile,
  passed: (bytes: number) => void,
): Promise<string | null> {
  let fault: string | null = null
  async function* pieces(): AsyncGenerator<Uint8Array> {
    try {
      for await (const piece of from.read(sha256)) {
        passed(piece.length)
        yield piece
      }
    } catch (error) {
      fault = faultInWords(error)
      throw error
    }
  }
  try {
    await to.take(sha256, 0, pieces())
  } catch (error) {
    if (fault === null) throw error
    await to.drop(sha256)
    return fault
  }
  // What is damaged is under the hash of what it has become, which nothing names.
  const kept = await to.keep(sha256)
  return kept.sha256 === sha256 ? null : DAMAGED
}

async function faultOf(
  files: FileStore,
  { sha256 }: ListedFile,
  passed: (bytes: number) => void,
): Promise<string | null> {
  const hash = createHash('sha256')
  try {
    for await (const piece of files.read(sha256)) {
      hash.update(piece)
      passed(piece.length)
    }
  } catch (error) {
    return faultInWords(error)
  }
  return hash.digest('hex') === sha256 ? null : DAMAGED
}

function counter(listed: ListedFiles, progress: Progress): (bytes: number) => void {
  let done = 0
  return (bytes) => {
    done += bytes
    progress(Math.min(done, listed.bytes), listed.bytes)
  }
}
