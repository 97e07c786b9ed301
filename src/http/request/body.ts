import { LongBytes, unpackedBytes } from '../../kernel/bytes.ts'
import { AppError } from '../../kernel/errors.ts'
import { isJsonObject, type Json, type JsonObject, ownField } from '../../kernel/json.ts'
import { nearestName } from '../../kernel/names.ts'
import type { QueryBounds } from '../../query/plan.ts'
import type { NamedFile } from '../../records/kinds/material/structure-files.ts'
import type { RecordKind } from '../../records/record-kind.ts'
import { ON_DUPLICATE, type OnDuplicate } from '../../records/use-cases/write.ts'
import { type PackedFiles, readBody, readJson, textOf } from '../../records/work/client-body.ts'
import type { RecordWork } from '../../records/work/deps.ts'
import { HTTP_ERRORS } from '../errors.ts'
import { type RequestContext, sessionOf } from '../exchange/context.ts'
import type { QueryParameter } from '../exchange/route.ts'
import type { HttpSettings } from '../settings.ts'
import {
  assertKnown,
  invalidParameter,
  knownParameters,
  type Parameters,
  quoted,
  readStrict,
  readSwitch,
} from './parameters.ts'

/** Bytes of a body around its query: names, braces, a projection of ordinary length. */
export const QUERY_ENVELOPE = 8 * 1024

/** Says what to write in the place of a field that is not read here; null where nothing is known of it. */
export type Elsewhere = (name: string, value: Json) => string | null

/** Reads a body of which every field is one of the given; an empty body is an empty object. */
export function readFields<const Name extends string>(
  context: RequestContext,
  names: readonly Name[],
  elsewhere?: Elsewhere,
): Readonly<Partial<Record<Name, Json>>> {
  const bytes = bodyBytes(context)
  return pickFields(bytes.length === 0 ? {} : readBody(bytes), names, elsewhere)
}

/** The same for bodies that may be long, in one field: the text of that, or the JSON text of what is there, comes apart from the others. */
export async function readLongFields<const Name extends string, const Long extends Name>(
  work: RecordWork,
  context: RequestContext,
  { names, long }: { readonly names: readonly Name[]; readonly long: Long },
): Promise<{ readonly fields: Readonly<Partial<Record<Name, Json>>>; readonly text: string | Uint8Array | null }> {
  const bytes = clientBytes(context)
  if (Buffer.isBuffer(bytes)) {
    const fields = readFields(context, names)
    return { fields, text: textOf(fields[long]) }
  }
  const read = await work.run('body', sessionOf(context).user.id, { bytes, fields: { names, long } })
  return { fields: pickFields(read.fields, names), text: read.text }
}

/** The most that a body with a query in it may have, in bytes: what is longer would be refused once it had been read. */
export function queryBodyLimit({ maxBytes }: QueryBounds): number {
  return maxBytes + QUERY_ENVELOPE
}

/** Refuses fields that nobody would read. */
export function pickFields<const Name extends string>(
  body: JsonObject,
  names: readonly Name[],
  elsewhere: Elsewhere = () => null,
): Readonly<Partial<Record<Name, Json>>> {
  const known: readonly string[] = names
  const unknown = Object.keys(body).find((key) => !known.includes(key))
  if (unknown !== undefined) throw unknownField(unknown, known, elsewhere(unknown, ownField(body, unknown) ?? null))
  const fields: Partial<Record<Name, Json>> = {}
  for (const name of names) {
    const value = ownField(body, name)
    if (value !== undefined) fields[name] = value
  }
  return fields
}

function unknownField(name: string, known: readonly string[], instead: string | null): AppError {
  const near = nearestName(name, known)
  const fields = known.length === 1 ? `The only field is ${known[0]}.` : `The fields are ${known.join(', ')}.`
  const hint = instead ?? (near === null ? fields : `Did you mean ${near}?`)
  return new AppError(
    HTTP_ERRORS.unknownBodyField,
    `The body has the field ${quoted(name)}, which is not read here. ${hint}`,
    { path: name.slice(0, 80), hint },
  )
}

/** Refuses a body but for an empty JSON object on an action that reads none; `parameters` are those of the URL that it reads instead. */
export function readNoBody(context: RequestContext, parameters: readonly string[] = []): void {
  const value = readJsonBody(context)
  if (value === undefined || (isJsonObject(value) && Object.keys(value).length === 0)) return
  const sent = isJsonObject(value) ? value : {}
  const given = parameters.filter((name) => ownField(sent, name) !== undefined)
  const pairs = (given.length > 0 ? given : parameters).map((name) => `${name}=${inUrl(ownField(sent, name))}`)
  const hint = parameters.length === 0 ? 'Leave it out.' : `What it reads stands in the URL: ?${pairs.join('&')}.`
  throw new AppError(HTTP_ERRORS.unexpectedBody, `${context.method} here reads no body. ${hint}`, { hint })
}

/** A short text as it stands in a URL. */
function inUrl(value: Json | undefined): string {
  return typeof value === 'string' && value.length <= 80 ? encodeURIComponent(value) : '…'
}

/** Makes the error for a field that is missing or of the wrong type. */
export function invalidField(name: string, expected: string): AppError {
  return new AppError(HTTP_ERRORS.invalidBodyField, `The field ${quoted(name)} of the body has to be ${expected}.`, {
    path: name,
  })
}

/** Reads the field of a body that refuses what would be answered with a warning. */
export function readStrictField(value: Json | undefined, { strict }: Pick<HttpSettings, 'strict'>): boolean {
  if (value === undefined) return strict
  if (typeof value === 'boolean') return value
  throw invalidField('strict', 'true or false')
}

/** The body as JSON; undefined when it has no bytes, whatever its Content-Type says. */
function readJsonBody(context: RequestContext): Json | undefined {
  const bytes = bodyBytes(context)
  return bytes.length === 0 ? undefined : readJson(bytes)
}

/** The bytes of the body, on routes that read no long ones; none where there is no body. */
export function bodyBytes(context: RequestContext): Buffer {
  const bytes = clientBytes(context)
  if (Buffer.isBuffer(bytes)) return bytes
  throw new Error(`${context.method} ${context.route} reads a long body as if it were short`)
}

/** The bytes of the body: those of a long one are for threads alone. */
export function clientBytes({ body }: RequestContext): Buffer | LongBytes {
  return Buffer.isBuffer(body) || body instanceof LongBytes ? body : Buffer.alloc(0)
}

/** A multipart body: files, and fields that are none. */
export interface Upload {
  readonly files: AsyncIterable<NamedFile>
  /** Values by name, in order where a name is given more than once. */
  readonly fields: ReadonlyMap<string, readonly string[]>
}

/** Reads a body of type `multipart/form-data` on another thread; refuses fields that nobody would read. */
export async function readUpload(work: RecordWork, context: RequestContext, names: readonly string[]): Promise<Upload> {
  const type = context.headers['content-type'] ?? ''
  const form = await work.run('form', sessionOf(context).user.id, { bytes: clientBytes(context), type })
  // Only the form is needed now: keeping the body, too, would take twice as much memory.
  context.body = null
  const fields = new Map<string, string[]>()
  for (const [name, value] of form.fields) {
    if (!names.includes(name)) throw unknownFormField(name, names)
    fields.set(name, [...(fields.get(name) ?? []), value])
  }
  if (form.files.names.length === 0) {
    throw new AppError(HTTP_ERRORS.invalidBodyField, 'The form has no file.', {
      hint: 'Send each file as a part of its own that has a filename.',
    })
  }
  return { files: eachOf(form.files), fields }
}

async function* eachOf({ names, contents }: PackedFiles): AsyncGenerator<NamedFile> {
  let index = 0
  for (const bytes of unpackedBytes(contents)) yield { name: names[index++] ?? '', bytes }
}

function unknownFormField(name: string, names: readonly string[]): AppError {
  return new AppError(HTTP_ERRORS.unknownBodyField, `The form has the field ${quoted(name)}, which is not read here.`, {
    path: name.slice(0, 80),
    hint: `The fields are: ${names.join(', ')}; anything else must be a file.`,
  })
}

export const ON_DUPLICATE_PARAMETER: QueryParameter = {
  name: 'onDuplicate',
  description:
    'When the account has the same content already: create (the default) stores another, return answers with the oldest, fail answers 409.',
  schema: { enum: [...ON_DUPLICATE], default: 'create' },
}

/** The parameter of imports of records that can be laid upon each other. */
export const SKIP_SAME_PARAMETER: QueryParameter = {
  name: 'skipSame',
  description:
    'true: a structure that is the same crystal as one of the account, in whatever cell and with whatever origin, is not stored; the answer names that one.',
  schema: { type: 'boolean', default: false },
}

export interface DuplicateOptions {
  readonly onDuplicate?: OnDuplicate
  readonly skipSame?: boolean
}

/** Reads `?onDuplicate=`, and `?skipSame=` where records of a kind can be the same, on an address that takes nothing but `others` beside them. */
export function duplicateOptions(
  parameters: Parameters,
  { likeness }: Pick<RecordKind, 'likeness'>,
  others: readonly QueryParameter[] = [],
): DuplicateOptions {
  const beside = others.map(({ name }) => name)
  assertKnown(parameters, ['onDuplicate', ...(likeness === undefined ? [] : ['skipSame']), ...beside])
  const skipSame = parameters.has('skipSame') && readSwitch(parameters, 'skipSame')
  return { ...readOnDuplicate(parameters), ...(skipSame ? { skipSame } : {}) }
}

/** Reads `?onDuplicate=` and `?strict=`, on an address that takes nothing else. */
export function creationOptions(
  context: RequestContext,
  settings: Pick<HttpSettings, 'strict'>,
): DuplicateOptions & { readonly strict: boolean } {
  const parameters = knownParameters(context, ['onDuplicate', 'strict'])
  return { ...readOnDuplicate(parameters), strict: readStrict(parameters, settings) }
}

function readOnDuplicate(parameters: Parameters): DuplicateOptions {
  const text = parameters.get('onDuplicate')
  if (text === undefined) return {}
  const onDuplicate = ON_DUPLICATE.find((choice) => choice === text)
  if (onDuplicate === undefined) throw invalidParameter('onDuplicate', text, ON_DUPLICATE.join(', '))
  return { onDuplicate }
}
