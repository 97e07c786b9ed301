import { createReadStream } from 'node:fs'
import type { LocalFile } from '../../calculations/runs/output-file.ts'
import { isoInstant } from '../../kernel/clock.ts'
import { newId } from '../../kernel/names.ts'
import type { FileContent } from '../../store/port/file-store.ts'
import { type AttachedFile, mediaTypeOfName } from '../attached-files.ts'
import type { RecordDeps } from '../work/deps.ts'
import type { RunPlace } from './records-of-run.ts'

/** A file of a run, with its content where that is stored already. */
export interface RunFile extends LocalFile {
  readonly content?: FileContent
}

/** Keeps the contents of files; of a dry run they are let go by themselves. */
export async function keepFiles(
  { deps }: RunPlace,
  files: readonly RunFile[],
  { dryRun = false }: { readonly dryRun?: boolean },
): Promise<readonly AttachedFile[]> {
  const attached: AttachedFile[] = []
  for (const file of files) {
    const content = file.content ?? (dryRun ? null : await keepFile(deps, file))
    if (content !== null) attached.push(attachedAs(file.name, content, deps.clock()))
  }
  return attached
}

async function keepFile({ files, random }: RecordDeps, { path }: RunFile): Promise<FileContent> {
  const upload = newId(random)
  await files.take(upload, 0, createReadStream(path))
  return files.keep(upload)
}

function attachedAs(name: string, content: FileContent, now: number): AttachedFile {
  return { name, ...content, type: mediaTypeOfName(name), createdAt: isoInstant(now) }
}
