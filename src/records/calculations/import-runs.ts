import { createHash } from 'node:crypto'
import { assertMayWrite } from '../../accounts/session.ts'
import { detectOutput } from '../../calculations/formats/output-formats.ts'
import type { LocalFile } from '../../calculations/runs/output-file.ts'
import { filesByFolder, isCalledLikeAnOutput, isLicensed } from '../../calculations/runs/runs-of-files.ts'
import { AppError } from '../../kernel/errors.ts'
import type { JsonObject } from '../../kernel/json.ts'
import { newId } from '../../kernel/names.ts'
import type { FileContent } from '../../store/port/file-store.ts'
import { decodeText } from '../../structure/formats/common/text-pieces.ts'
import { archivedFiles, holdsFiles } from '../import/archived-files.ts'
import { type ArrivingFile, keepSound, takePart } from '../use-cases/files.ts'
import { type CalculationReport, findRuns, importRun, type RunOptions } from './import-run.ts'
import type { RunPlace } from './records-of-run.ts'
import type { RunFile } from './run-files.ts'

/** A file of an import on its way, by the name that it has in its folder. */
export type ArrivingRunFile = Omit<ArrivingFile, 'id'>

/** Name under which a file of an import arrives. */
export function stagedAs({ session }: Pick<RunPlace, 'session'>, name: string): string {
  return createHash('sha256')
    .update(JSON.stringify(['staged', session.account.id, session.user.id, name]))
    .digest('hex')
}

/** Takes a file that is to be imported; gives a ticket for it when all of it has arrived. Only the account that has sent a content can use it. */
export async function stageFile(
  { deps, session }: RunPlace,
  arriving: ArrivingRunFile,
): Promise<{ readonly arrived: number } | (JsonObject & { readonly ticket: string })> {
  const upload = stagedAs({ session }, arriving.name)
  const arrived = await takePart(deps, upload, arriving)
  if (arriving.total !== null && arrived < arriving.total) return { arrived }
  const content = await keepSound(deps, upload, arriving)
  const by = { accountId: session.account.id, userId: session.user.id }
  const { name } = arriving
  return { name, size: content.size, sha256: content.sha256, ticket: deps.links.sign({ may: 'use', ...content }, by) }
}

/** A file that has been sent, with its ticket. */
export type SentRunFile = { readonly name: string; readonly ticket: string }

/** What came of an import: a report on each calculation, and the files that belong to none. */
export type RunsReport = {
  readonly calculations: readonly CalculationReport[]
  readonly unused: readonly string[]
  /** Those of them that hold a structure. */
  readonly structures: readonly string[]
  /** Those of them that are not to be handed on. */
  readonly licensed: readonly string[]
}

/** Imports calculations of files that have been sent, folder by folder. */
export async function importRuns(
  place: RunPlace,
  sent: readonly SentRunFile[],
  options: RunOptions,
): Promise<RunsReport> {
  assertMayWrite(place.session)
  const settled = await Promise.allSettled(sent.map((file) => borrow(place, file)))
  const borrowings = settled.flatMap((one) => (one.status === 'fulfilled' ? one.value : []))
  const borrowed = borrowings.flatMap((one) => ('release' in one ? one : []))
  return released(borrowed, async () => {
    const failed = settled.find((one) => one.status === 'rejected')
    if (failed !== undefined) throw failed.reason
    const report = await importBorrowed(place, borrowed, options)
    const refused = borrowings.flatMap((one) => ('release' in one ? [] : one))
    return { ...report, calculations: [...refused, ...report.calculations] }
  })
}

/** Imports the calculations in an archive on disk; null where nothing in it is called like an output, and no JSON of it is one, where that is looked into. */
export async function importArchive(
  place: RunPlace,
  archive: LocalFile,
  { looksIntoJson, ...options }: RunOptions & { readonly looksIntoJson: boolean },
): Promise<RunsReport | null> {
  assertMayWrite(place.session)
  if (!(await mayHoldRuns(archive, looksIntoJson))) return null
  const borrowed = await unpacked(place, archive)
  return released(borrowed, () => importBorrowed(place, borrowed, options))
}

/** What cannot be read to its end is left to whoever reads structures of it, and says so. */
async function mayHoldRuns(archive: LocalFile, looksIntoJson: boolean): Promise<boolean> {
  if (/\.aiida$/i.test(archive.name)) return true
  try {
    for await (const { name, bytes } of archivedFiles(archive)) {
      if (isCalledLikeAnOutput(name)) return true
      if (looksIntoJson && /\.json$/i.test(name) && detectOutput(name, await headOf(bytes)) !== null) return true
    }
  } catch (error) {
    if (!(error instanceof AppError) || error.status >= 500) throw error
  }
  return false
}

/** Bytes by which an output is told. */
const HEAD = 64 * 1024

async function headOf(bytes: AsyncIterable<Uint8Array>): Promise<string> {
  const pieces: Uint8Array[] = []
  let length = 0
  for await (const piece of bytes) {
    pieces.push(piece)
    length += piece.length
    if (length >= HEAD) break
  }
  return decodeText(Buffer.concat(pieces).subarray(0, HEAD))
}

async function released<T>(borrowed: readonly BorrowedFile[], work: () => T | Promise<T>): Promise<T> {
  try {
    return await work()
  } finally {
    await Promise.all(borrowed.map(({ release }) => release()))
  }
}

async function importBorrowed(
  place: RunPlace,
  borrowed: readonly BorrowedFile[],
  options: RunOptions,
): Promise<RunsReport> {
  const calculations: CalculationReport[] = []
  const structures: string[] = []
  const used = new Set<string>()
  for (const [folder, files] of filesByFolder(borrowed.map(({ file }) => file))) {
    if (isRepository(folder)) continue
    const whole = (name: string) => (folder === '.' ? name : `${folder}/${name}`)
    const found = await findRuns(place, files)
    structures.push(...found.structures.map(whole))
    for (const run of found.runs) {
      for (const name of run.files) used.add(whole(name))
      const reports = await importRun(place, run, files, { ...options, folder: folder === '.' ? '' : folder })
      calculations.push(...reports.map((report) => ({ ...report, file: whole(report.file) })))
    }
  }
  const unused = borrowed.map(({ file }) => file.name).filter((name) => !used.has(name))
  return { calculations, unused, structures, licensed: unused.filter(isLicensed) }
}

/** Tells the folders of an AiiDA archive that have files of its nodes: its database tells of their calculations, which would be stored twice. */
function isRepository(folder: string): boolean {
  return /\.aiida\/(?:repo|nodes)(?:\/|$)/i.test(folder)
}

interface BorrowedFile {
  readonly file: RunFile
  release(): Promise<void>
}

/** Report on an archive that is damaged or too large, which concerns no other file. */
export function refusedArchive(file: string, error: unknown): CalculationReport {
  if (!(error instanceof AppError) || error.status >= 500) throw error
  const { code, message, data } = error
  return { file, outcome: 'refused', error: { code, message, data } }
}

/** Lends what was sent; of an archive, the files in it. Of one that cannot be read, the report. */
async function borrow(
  place: RunPlace,
  { name, ticket }: SentRunFile,
): Promise<readonly (BorrowedFile | CalculationReport)[]> {
  const { deps, session } = place
  const { sha256, size, crc32 } = deps.links.readOf(ticket, 'use', session.account.id)
  const lent = await lend(place, name, { sha256, size, crc32 })
  if (!holdsFiles(name)) return [lent]
  try {
    return await unpacked(place, lent.file)
  } catch (error) {
    return [refusedArchive(name, error)]
  } finally {
    await lent.release()
  }
}

async function lend({ deps }: RunPlace, name: string, content: FileContent): Promise<BorrowedFile> {
  const { path, release } = await deps.files.borrow(content.sha256)
  return { file: { name, path, content }, release }
}

/** Keeps the files of an archive, each as a content of its own; one that cannot be read to its end gives none. */
async function unpacked(place: RunPlace, archive: LocalFile): Promise<readonly BorrowedFile[]> {
  const { files, random } = place.deps
  const lent: BorrowedFile[] = []
  try {
    for await (const { name, bytes } of archivedFiles(archive)) {
      const upload = newId(random)
      await files.take(upload, 0, bytes)
      lent.push(await lend(place, `${archive.name}/${name}`, await files.keep(upload)))
    }
    return lent
  } catch (error) {
    await Promise.all(lent.map(({ release }) => release()))
    throw error
  }
}
