import type { Session } from '../../accounts/session.ts'
import { unpackedBytes } from '../../kernel/bytes.ts'
import { AppError } from '../../kernel/errors.ts'
import type { JsonObject } from '../../kernel/json.ts'
import { contentId, slugOf } from '../ids.ts'
import { materialKind } from '../kinds/material/material-kind.ts'
import { membershipIn } from '../use-cases/sets.ts'
import { LONGEST_NAME } from '../validate-record.ts'
import type { FramesOfFile } from '../work/client-body.ts'
import type { RecordDeps } from '../work/deps.ts'
import { type ImportItem, nameOf } from './import-item.ts'
import { faultRefusal } from './store-each.ts'

/** Options of taking files apart. */
export interface FrameTerms {
  /** The format of all files; without it each is told by name and content. */
  readonly format?: string
  /** Most structures that all files of several structures may hold together. */
  readonly mostFrames?: number
}

type FileItem = Extract<ImportItem, { readonly file: unknown }>

/** Puts a set and its members in place of a file of several structures. Ids follow from account and file, so that a rerun completes it. */
export async function* framesOfFiles(
  deps: RecordDeps,
  session: Session,
  items: AsyncIterable<ImportItem>,
  { format, mostFrames = Number.POSITIVE_INFINITY }: FrameTerms,
): AsyncGenerator<ImportItem> {
  let left = mostFrames
  for await (const item of items) {
    if (!('file' in item)) {
      yield item
      continue
    }
    const taken = await takeApart(deps, session, item, { format, most: Math.max(1, left) })
    if (taken === null) yield item
    else if ('refusal' in taken) yield { place: item.place, ...taken }
    else {
      left -= taken.texts.ends.length
      yield* setAndMembers(session, item, taken)
    }
  }
}

/** Takes a file apart: null where it is one structure, a refusal where it fails. */
async function takeApart(
  deps: RecordDeps,
  session: Session,
  { file, place }: FileItem,
  terms: { readonly format: string | undefined; readonly most: number },
): Promise<FramesOfFile | { readonly refusal: AppError } | null> {
  try {
    return await deps.work.run('takeApart', session.user.id, { file, fileName: nameOf(place), ...terms })
  } catch (error) {
    if (!(error instanceof AppError)) return { refusal: faultRefusal(deps, error as Error) }
    if (error.status >= 500) throw error
    return { refusal: error }
  }
}

function* setAndMembers(
  { account }: Session,
  item: FileItem,
  { hash, format, texts }: FramesOfFile,
): Generator<ImportItem> {
  const fileName = nameOf(item.place)
  const id = contentId('structure-file', account.id, hash, 'set of frames')
  const name = fileName.slice(0, LONGEST_NAME) || 'trajectory'
  const frames = texts.ends.length
  const set: JsonObject = { name, isEntitySet: true, entitySetType: 'ordered', nextIndex: frames }
  yield { place: { ...item.place, frames }, id, document: set }
  let frame = 0
  for (const file of unpackedBytes(texts)) {
    const member = membershipIn(materialKind, { ...set, _id: id, slug: slugOf(name), nextIndex: frame })
    const part = { format, hash, frame, frames }
    yield { place: { ...item.place, frame }, file, part, fields: { inSet: [member] } }
    frame += 1
  }
}
