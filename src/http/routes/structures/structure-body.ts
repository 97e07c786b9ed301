import type { FastifyRequest } from 'fastify'
import type { JsonObject } from '../../../kernel/json.ts'
import { isJsonArray, isJsonObject, type Json } from '../../../kernel/json.ts'
import type { RecordDeps } from '../../../records/deps.ts'
import type { StructureFile } from '../../../records/structure-files/structure-file.ts'
import { TEXT } from '../../openapi/schemas.ts'
import { invalidField, readFields } from '../../request/body.ts'

/** Bytes of a JSON body with a structure file in it: line ends and quotes take two characters each there. */
export const STRUCTURE_BODY_LIMIT = 24 * 1024 * 1024

export const CONTENT: JsonObject = {
  type: ['string', 'object'],
  description: 'The text of the file; JSON may come as it is.',
}
export const FORMAT: JsonObject = { ...TEXT, description: 'Told by name and content when it is left out.' }

/** Reads `name`, `content` and `format` of a body, and other fields that are named. */
export function readStructureBody<const Name extends string>(
  request: FastifyRequest,
  { structureLimits }: Pick<RecordDeps, 'structureLimits'>,
  others: readonly Name[],
): { readonly file: StructureFile; readonly fields: Readonly<Partial<Record<Name | 'name', Json>>> } {
  const fields = readFields(request, ['name', 'content', 'format', ...others])
  const { name, content, format } = fields as { name?: Json; content?: Json; format?: Json }
  const file: StructureFile = {
    text: readContent(content),
    format: optionalText('format', format),
    fileName: optionalText('name', name),
    limits: structureLimits,
  }
  return { file, fields }
}

function readContent(content: Json | undefined): string {
  if (typeof content === 'string' && content.trim() !== '') return content
  if (isJsonObject(content) || isJsonArray(content)) return JSON.stringify(content)
  throw invalidField('content', 'the text of a structure file')
}

/** A text that may be absent; clients write null and the empty text for that too. */
export function optionalText(name: string, value: Json | undefined): string | undefined {
  if (value === undefined || value === null || value === '') return undefined
  if (typeof value === 'string') return value
  throw invalidField(name, 'a text, or leave it out')
}
