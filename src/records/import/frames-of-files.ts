import type { Session } from '../../accounts/session.ts'
import { unpackedBytes } from '../../kernel/bytes.ts'
import { AppError } from '../../kernel/errors.ts'
import type { JsonObject } from '../../kernel/json.ts'
import { contentId, slugOf } from '../ids.ts'
import { materialKind } from '../kinds/material/material-kind.ts'
import { membershipIn } from '../use-cases/sets.ts'
import { LONGEST_NAME } from '../validate-record.ts'
import type { RecordDeps } from '../work/deps.ts'
import { pickedOf, type StreamSurvey, surveyStream, textsOfStream } from './frames-of-streams.ts'
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
type StreamItem = Extract<ImportItem, { readonly stream: unknown }>

/** A file taken apart, or about to be: what is known of it, and a text of each structure. */
interface TakenApart {
  readonly survey: StreamSurvey
  readonly texts: AsyncIterable<Uint8Array | string | AppError> | Iterable<Uint8Array | string>
}

/** Puts a set and its members in place of a file of several structures. Ids follow from account and file, so that a rerun completes it. */
export async function* framesOfFiles(
  deps: RecordDeps,
  session: Session,
  items: AsyncIterable<ImportItem>,
  { format, mostFrames = Number.POSITIVE_INFINITY }: FrameTerms,
): AsyncGenerator<ImportItem> {
  let left = mostFrames
  for await (const item of items) {
    if (!('file' in item || 'stream' in item)) {
      yield item
      continue
    }
    try {
      const apart = await takeApart(deps, session, item, { format, most: Math.max(1, left) })
      if (apart === null) yield 'stream' in item ? await pickedOf(item, { format }) : item
      else {
        left -= apart.survey.frames
        yield* setAndMembers(deps, session, item, apart)
      }
    } catch (error) {
      yield { place: item.place, refusal: refusalOf(deps, error) }
    }
  }
}

function refusalOf(deps: RecordDeps, error: unknown): AppError {
  if (!(error instanceof AppError)) return faultRefusal(deps, error as Error)
  if (error.status >= 500) throw error
  return error
}

/** Takes a file apart; null where it is one structure. */
async function takeApart(
  deps: RecordDeps,
  session: Session,
  item: FileItem | StreamItem,
  { format, most }: { readonly format: string | undefined; readonly most: number },
): Promise<TakenApart | null> {
  const fileName = nameOf(item.place)
  if ('stream' in item) {
    const survey = await surveyStream(item.stream, { format, fileName })
    return survey.frames < 2 ? null : { survey, texts: textsOfStream(item.stream, { format, fileName }, survey) }
  }
  const found = await deps.work.run('takeApart', session.user.id, { file: item.file, fileName, format, most })
  if (found === null) return null
  return { survey: { ...found, frames: found.texts.ends.length }, texts: unpackedBytes(found.texts) }
}

async function* setAndMembers(
  deps: RecordDeps,
  session: Session,
  { place }: FileItem | StreamItem,
  { survey: { format, hash, frames }, texts }: TakenApart,
): AsyncGenerator<ImportItem> {
  const idOf = (what: string): string => contentId('structure-file', session.account.id, hash, what)
  const [fileName, setId] = [nameOf(place), idOf('set of frames')]
  const name = fileName.slice(0, LONGEST_NAME) || 'trajectory'
  const set: JsonObject = { name, isEntitySet: true, entitySetType: 'ordered', nextIndex: frames }
  const isBegun = await isPresent(deps, session, setId)
  yield { place: { ...place, frames }, id: setId, document: set }
  let frame = 0
  for await (const file of texts) {
    // By itself, a frame is another record than as the member of a set.
    const id = idOf(`frame ${frame} of the set`)
    const member = membershipIn(materialKind, { ...set, _id: setId, slug: slugOf(name), nextIndex: frame })
    if (file instanceof AppError) yield { place: { ...place, frame }, refusal: file }
    // What an earlier run has stored is not read again.
    else if (isBegun && (await isPresent(deps, session, id))) {
      yield { place: { ...place, frame }, present: { id, collection: materialKind.collection, format } }
    } else {
      const part = { format, hash, frame, frames }
      yield { place: { ...place, frame }, file, part, id, fields: { inSet: [member] } }
    }
    frame += 1
  }
}

async function isPresent({ store }: RecordDeps, { account, scope }: Session, id: string): Promise<boolean> {
  return (await store.read(materialKind.collection, scope, id))?.accountId === account.id
}
