import type { Json, JsonObject } from '../../kernel/json.ts'
import { ORDERED, WRITTEN_SYMMETRIES, writableFormat } from '../../records/kinds/material/print-material.ts'
import type { SentFile } from '../../records/kinds/material/structure-files.ts'
import type { RecordWork } from '../../records/work/deps.ts'
import { STANDARD_CELLS } from '../../structure/symmetry/standard-cell.ts'
import { LEAST_TOLERANCE_ANGSTROM, MOST_TOLERANCE_ANGSTROM } from '../../structure/symmetry/symmetry-report.ts'
import { API_PREFIX } from '../address.ts'
import type { RequestContext } from '../exchange/context.ts'
import { sessionOf } from '../exchange/context.ts'
import { dataTextResponse } from '../exchange/response.ts'
import type { Operation, QueryParameter, Route } from '../exchange/route.ts'
import { listOf, object, TEXT } from '../openapi/schemas.ts'
import { invalidField, readLongFields } from '../request/body.ts'
import { assertNoParameters } from '../request/parameters.ts'
import { optionsOfBody, readPrintTerms } from '../request/structure-terms.ts'
import type { HttpServices } from '../services.ts'

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
/** The standard cells that a structure can be written in. */
export const STANDARD_CELL: JsonObject = {
  ...TEXT,
  enum: [...STANDARD_CELLS],
  description: 'The standard cell to write the structure in.',
}
export const FORMAT: JsonObject = { ...TEXT, description: 'Told by name and content when it is left out.' }

export const TOLERANCE: JsonObject = {
  type: 'number',
  minimum: LEAST_TOLERANCE_ANGSTROM,
  maximum: MOST_TOLERANCE_ANGSTROM,
  description:
    'Within how many Å symmetry is sought, 0.0001 to 0.3; that of the setting symmetryTolerance where nothing is said.',
}

/** Options of a written file beside its format. */
export const PRINT_OPTIONS: Readonly<Record<string, JsonObject>> = {
  symmetry: {
    ...TEXT,
    enum: [...WRITTEN_SYMMETRIES],
    description:
      'Of a CIF. standard, where nothing is said: the standard cell, with the operators of its space group; none: all atoms of the cell in P 1.',
  },
  tolerance: TOLERANCE,
  ordered: {
    ...TEXT,
    enum: [...ORDERED],
    description:
      'Of a disordered crystal, in formats of whole atoms too: majority, the most frequent species of each site; supercell, shares as counts in a larger cell, by chance. The title of the file says so.',
  },
  maxAtoms: { type: 'integer', description: 'Most atoms of the supercell; 200 where nothing is said.' },
  seed: {
    type: 'integer',
    description: 'Another seed gives another supercell, the same seed the same; 0 where nothing is said.',
  },
}

/** Options as parameters of an address. */
export function queryOf(options: Readonly<Record<string, JsonObject>>): readonly QueryParameter[] {
  return Object.entries(options).map(([name, { description, ...schema }]) => ({
    name,
    description: String(description),
    schema,
  }))
}

/** A structure file in a body, with fields that have to stand beside it and those that may. */
export function structureBody(
  options: Readonly<Record<string, JsonObject>>,
  example: Json,
  required: Readonly<Record<string, JsonObject>> = {},
): NonNullable<Operation['body']> {
  const optional = { format: FORMAT, frame: FRAME, name: TEXT, ...options }
  return { schema: object({ content: CONTENT, ...required, ...optional }, Object.keys(optional)), example }
}

/** A body with a structure file in it, where it has one. */
interface StructureBody<Name extends string> {
  readonly file: SentFile | null
  readonly fields: Readonly<Partial<Record<Name | 'name', Json>>>
}

/** Reads `name`, `content`, `format` and `frame` of a body, and other fields that are named. */
export async function readStructureBody<const Name extends string>(
  work: RecordWork,
  context: RequestContext,
  others: readonly Name[],
): Promise<StructureBody<Name> & { readonly file: SentFile }> {
  const { file, fields } = await readStructureFields(work, context, others)
  if (file === null) throw invalidField('content', 'the text of a structure file')
  return { file, fields }
}

/** The same of a body that may be without a file: then the file is null. */
export async function readStructureFields<const Name extends string>(
  work: RecordWork,
  context: RequestContext,
  others: readonly Name[],
): Promise<StructureBody<Name>> {
  const names = ['name', 'content', 'format', 'frame', ...others] as const
  const { fields, text } = await readLongFields(work, context, { names, long: 'content' })
  const { name, format, frame } = fields as Partial<Record<'name' | 'format' | 'frame', Json>>
  if (text === null) return { file: null, fields }
  const file: SentFile = {
    text,
    format: optionalText('format', format),
    fileName: optionalText('name', name),
    frame: readFrame(frame),
  }
  return { file, fields }
}

function readFrame(value: Json | undefined): number | undefined {
  if (value === undefined || value === null) return undefined
  if (typeof value === 'number' && Number.isSafeInteger(value)) return value
  const all = value === 'all' ? '; POST /materials/import as a form stores all' : ''
  throw invalidField('frame', `a whole number, counted from 0, or from the end where negative${all}`)
}

/** A text that may be absent; clients write null and the empty text for that too. */
export function optionalText(name: string, value: Json | undefined): string | undefined {
  if (value === undefined || value === null || value === '') return undefined
  if (typeof value === 'string') return value
  throw invalidField(name, 'a text, or absent')
}

export function convertStructureRoute({ records }: HttpServices): Route {
  return {
    method: 'POST',
    path: `${API_PREFIX}/structures/convert`,
    access: 'session',
    repeats: 'needless',
    bodyLimit: STRUCTURE_BODY_LIMIT,
    readsLong: true,
    operation: {
      id: 'convertStructure',
      tag: 'Structures',
      summary: 'Write a structure file in another format',
      description: 'Nothing is stored. To the format material, the answer has material in place of content.',
      body: structureBody(
        PRINT_OPTIONS,
        { content: 'Po\n1\n3.35 0 0\n0 3.35 0\n0 0 3.35\nPo\n1\nDirect\n0 0 0\n', format: 'poscar', to: 'cif' },
        { to: TEXT },
      ),
      success: {
        status: 200,
        description: 'The structure in the other format, and what reading the file had to assume.',
        schema: object(
          { format: TEXT, to: TEXT, content: TEXT, material: { type: 'object' }, warnings: listOf({ type: 'object' }) },
          ['content', 'material'],
        ),
      },
      failures: [422],
    },
    handler: async (context) => {
      assertNoParameters(context)
      const { file, fields } = await readStructureBody(records.work, context, ['to', ...Object.keys(PRINT_OPTIONS)])
      const to = optionalText('to', fields.to)
      if (to === undefined) throw invalidField('to', 'the name of a format')
      const terms = readPrintTerms(optionsOfBody(fields), writableFormat(to))
      return dataTextResponse(await records.work.run('convert', sessionOf(context).user.id, { file, terms }))
    },
  }
}
