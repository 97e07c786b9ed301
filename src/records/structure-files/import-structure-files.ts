import { createHash } from 'node:crypto'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { assertMayWrite } from '../../accounts/permissions.ts'
import type { Session } from '../../accounts/session.ts'
import { AppError } from '../../kernel/errors.ts'
import { decodeText } from '../../structure/formats/text.ts'
import { contentId } from '../content-id.ts'
import type { RecordDeps } from '../deps.ts'
import type { OnDuplicate } from '../find-duplicates.ts'
import { batchesAtATime, batchesOf } from '../import/batches.ts'
import { overlapped } from '../import/overlapped.ts'
import { prepareInsert } from '../import/prepare-insert.ts'
import { type Prepared, prepared } from '../import/prepared.ts'
import { storeEach } from '../import/store-each.ts'
import { materialKind } from '../kinds/material/material-kind.ts'
import { type MaterialDocument, materialDocument, type StructureImportOptions } from './material-document.ts'
import type { FileReport, NamedFile } from './structure-file.ts'

/** What holds for all files of an import. */
export interface StructureFilesOptions extends StructureImportOptions {
  /** The format of all files; without it each is told by name and content. */
  readonly format?: string
  /** Which structure of every file to take; the first when left out. */
  readonly frame?: number
  /** What to do with a structure that the account has already; `create` when left out. */
  readonly onDuplicate?: OnDuplicate
}

/** A file that has been read, or one that cannot be. */
export type IncomingFile = NamedFile | { readonly name: string; readonly refusal: AppError }

/**
 * Stores the structures of many files in the session's account and reports on each, in their order. A file whose content the account has
 * imported before is skipped, so an import that broke off is simply run again.
 */
export async function* importStructureFiles(
  deps: RecordDeps,
  session: Session,
  files: AsyncIterable<IncomingFile>,
  options: StructureFilesOptions = {},
): AsyncGenerator<FileReport> {
  assertMayWrite(session)
  const batches = preparedBatches(deps, session, files, options)
  const write = (batch: readonly Promise<PreparedFile>[]) => store(deps, session, batch, options.onDuplicate)
  for await (const reports of overlapped(batches, batchesAtATime(options.onDuplicate), write)) yield* reports
}

/** Begins with files batch after batch; those of a batch are under way together. */
async function* preparedBatches(
  deps: RecordDeps,
  session: Session,
  files: AsyncIterable<IncomingFile>,
  options: StructureFilesOptions,
): AsyncGenerator<readonly Promise<PreparedFile>[]> {
  for await (const batch of batchesOf(files, (file) => ('bytes' in file ? file.bytes.length : 0))) {
    const pending: Promise<PreparedFile>[] = []
    for (const file of batch) {
      const preparing = prepareFile(deps, session, file, options)
      // A fault counts when the batch is stored, not as one that nobody handles.
      preparing.catch(() => {})
      pending.push(preparing)
      // Reading a file takes a while; requests of others come in between.
      await nextTurn()
    }
    yield pending
  }
}

interface PreparedFile {
  readonly name: string
  readonly prepared: Prepared
  readonly read?: Pick<MaterialDocument, 'format' | 'warnings'>
}

async function prepareFile(
  deps: RecordDeps,
  session: Session,
  file: IncomingFile,
  { format, frame, onDuplicate: _onDuplicate, ...options }: StructureFilesOptions,
): Promise<PreparedFile> {
  const { name } = file
  if ('refusal' in file) return { name, prepared: { refusal: file.refusal } }
  try {
    const text = decodeText(file.bytes)
    const { document, ...read } = materialDocument(
      { text, format, frame, fileName: baseName(name), limits: deps.structureLimits },
      options,
    )
    const which = frame === undefined ? [] : [`frame ${frame}`]
    const id = contentId(
      'structure-file',
      session.account.id,
      createHash('sha256').update(text).digest('hex'),
      ...which,
    )
    return { name, read, prepared: await prepared(prepareInsert(deps, session, materialKind, document, { id })) }
  } catch (error) {
    if (error instanceof AppError) return { name, prepared: { refusal: error } }
    throw error
  }
}

async function store(
  deps: RecordDeps,
  session: Session,
  batch: readonly Promise<PreparedFile>[],
  onDuplicate: OnDuplicate | undefined,
): Promise<FileReport[]> {
  const files = await Promise.all(batch)
  const outcomes = await storeEach(
    deps,
    session,
    files.map((file) => file.prepared),
    onDuplicate,
  )
  return files.map(({ name, read }, index): FileReport => {
    const { outcome = 'refused', _id, error } = outcomes[index] ?? {}
    return {
      file: name,
      outcome,
      ...(read === undefined ? {} : { format: read.format }),
      ...(_id === undefined ? {} : { _id }),
      ...(read === undefined || read.warnings.length === 0 ? {} : { warnings: read.warnings }),
      ...(error === undefined ? {} : { error }),
    }
  })
}

function baseName(name: string): string {
  return name.split(/[\\/]/).at(-1) ?? name
}
