import type { FastifyRequest } from 'fastify'
import type { JsonObject } from '../../../kernel/json.ts'
import { isJsonArray, isJsonObject, type Json } from '../../../kernel/json.ts'
import type { StructureFile } from '../../../records/structure-files/structure-file.ts'
import type { RecordWork } from '../../../records/work/record-work.ts'
import { TEXT } from '../../openapi/schemas.ts'
import { invalidField, readLongFields } from '../../request/body.ts'

/** Bytes of a JSON body with a structure file in it: line ends and quotes take two characters each there. */
export const STRUCTURE_BODY_LIMIT = 24 * 1024 * 1024

export const CONTENT: JsonObject = {
  type: ['string', 'object'],
  description: 'The text of the file; JSON may come as it is.',
}
export const FRAME: JsonObject = {
  type: 'integer',
  description:
    'Which of several structures, counted from 0; -1 is the last. The first when it is left out, with a warning.',
}
export const FORMAT: JsonObject = { ...TEXT, description: 'Told by name and content when it is left out.' }

/** Reads `name`, `content`, `format` and `frame` of a body, and other fields that are named. */
export async function readStructureBody<const Name extends string>(
  work: RecordWork,
  request: FastifyRequest,
  others: readonly Name[],
): Promise<{ readonly file: StructureFile; readonly fields: Readonly<Partial<Record<Name | 'name', Json>>> }> {
  const names = ['name', 'content', 'format', 'frame', ...others] as const
  const fields = await readLongFields(work, request, { names, long: ['content'] })
  const { name, content, format, frame } = fields as Partial<Record<'name' | 'content' | 'format' | 'frame', Json>>
  const file: StructureFile = {
    text: readContent(content),
    format: optionalText('format', format),
    fileName: optionalText('name', name),
    frame: readFrame(frame),
  }
  return { file, fields }
}

function readContent(content: Json | undefined): string {
  if (typeof content === 'string' && content.trim() !== '') return content
  if (isJsonObject(content) || isJsonArray(content)) return JSON.stringify(content)
  throw invalidField('content', 'the text of a structure file')
}

function readFrame(value: Json | undefined): number | undefined {
  if (value === undefined || value === null) return undefined
  if (typeof value === 'number' && Number.isSafeInteger(value)) return value
  throw invalidField('frame', 'a whole number, counted from 0, or from the end where negative')
}

/** A text that may be absent; clients write null and the empty text for that too. */
export function optionalText(name: string, value: Json | undefined): string | undefined {
  if (value === undefined || value === null || value === '') return undefined
  if (typeof value === 'string') return value
  throw invalidField(name, 'a text, or leave it out')
}
