import { AppError } from '../../kernel/errors.ts'
import { exportParts } from '../../records/exchange/export-parts.ts'
import { ExportTally } from '../../records/exchange/export-tally.ts'
import { zipExport } from '../../records/exchange/zip-export.ts'
import { countForArchive, exportArchive, exportStructure } from '../../records/import/export-structures.ts'
import { materialKind } from '../../records/kinds/material/material-kind.ts'
import { writableFormat } from '../../records/kinds/material/print-material.ts'
import { exportRecords } from '../../records/use-cases/read-records.ts'
import { listWarnings } from '../../records/warnings/field-guide.ts'
import type { Collection } from '../../records/work/deps.ts'
import type { StructureFormat } from '../../structure/formats/common/format.ts'
import { formatNames, isWritten } from '../../structure/formats/registry.ts'
import { API_PREFIX } from '../address.ts'
import { holdPlace } from '../bounds/held.ts'
import { HTTP_ERRORS } from '../errors.ts'
import { collectionOf, type RequestContext } from '../exchange/context.ts'
import { type Response, warningHeaders } from '../exchange/response.ts'
import type { Route } from '../exchange/route.ts'
import { COLUMNS, exportQuery } from '../openapi/list-parameters.ts'
import { TEXT } from '../openapi/schemas.ts'
import { acceptedFormat, mediaTypeOf } from '../request/accepted-format.ts'
import { assertKnown, invalidParameter, pathId, readParameters } from '../request/parameters.ts'
import { readExportRequest, readLinesRequest } from '../request/search-body.ts'
import { optionsOfAddress, readPrintTerms } from '../request/structure-terms.ts'
import { fileResponse, linesResponse, packingOf } from '../response/stream.ts'
import type { HttpServices } from '../services.ts'
import type { HttpSettings } from '../settings.ts'
import { PRINT_OPTIONS, queryOf } from './structures.ts'

/** All materials that match: as structure files in a zip archive, or as records, one a line. */
export function exportMaterialsRoute({ records }: HttpServices, settings: HttpSettings): Route {
  return {
    method: 'GET',
    path: `${API_PREFIX}/materials/export`,
    access: 'session',
    answersHead: false,
    operation: {
      id: 'exportMaterials',
      tag: 'Materials',
      summary: 'Read all materials that match, however many',
      description:
        'With format, a zip archive of structure files; materials that the format cannot express are listed in its ' +
        'not-exported.txt. Without, the records as NDJSON, which an import takes; with format=csv, fields of them as a table. ' +
        'With files=true, a zip archive of the records with their properties, jobs, methods, and the files of all, which `quarry import` takes.',
      query: [
        ...exportQuery(materialKind),
        {
          name: 'format',
          description: `One of ${formatNames(isWritten)}; or csv: a table of the fields that columns names.`,
          schema: TEXT,
        },
        ...queryOf(PRINT_OPTIONS),
        COLUMNS,
        {
          name: 'files',
          description: 'true: an archive of the records, what belongs to them, and their files.',
          schema: { type: 'boolean' },
        },
      ],
      success: {
        description: 'The archive or the lines, as a stream.',
        schema: TEXT,
        types: ['application/zip', 'application/x-ndjson', 'text/csv', 'application/gzip'],
      },
    },
    handler: (context) => {
      const parameters = new Map(readParameters(context.query))
      const name = parameters.get('format')
      assertNoFormatOfRecords(name)
      const materials = collectionOf(context, records, materialKind)
      if (takesFiles(parameters)) return exportWhole(materials, { context, parameters, settings })
      return name === undefined || name === 'csv'
        ? exportLines(materials, { context, parameters, settings })
        : exportFiles(materials, { context, parameters, settings }, writableFormat(name))
    },
  }
}

/** Refuses other spellings of how records are written without a structure format, which the list of those formats does not have. */
function assertNoFormatOfRecords(name: string | undefined): void {
  const wanted = name?.toLowerCase() ?? ''
  if (name === 'csv' || !['csv', 'ndjson', 'jsonl', 'json'].includes(wanted)) return
  const hint = wanted === 'csv' ? 'Write format=csv.' : 'Leave format out: records are NDJSON without it.'
  throw new AppError(
    HTTP_ERRORS.invalidParameter,
    `There is no format ${JSON.stringify(name)} of structures. ${hint}`,
    {
      path: 'format',
      hint,
    },
  )
}

/** Reads `files`, which format, columns and gzip have no place beside. */
function takesFiles(parameters: Map<string, string>): boolean {
  const text = parameters.get('files')
  if (text === undefined) return false
  if (text !== 'true' && text !== 'false') throw invalidParameter('files', text, 'true or false')
  parameters.delete('files')
  if (text === 'false') return false
  const other = ['format', 'columns', 'gzip', ...Object.keys(PRINT_OPTIONS)].find((name) => parameters.has(name))
  if (other === undefined) return true
  const hint = 'Leave it out, or files.'
  const message = `An archive with files=true has whole records, so ${other} means nothing. ${hint}`
  throw new AppError(HTTP_ERRORS.invalidParameter, message, { path: other, hint })
}

interface Exchange {
  readonly context: RequestContext
  readonly parameters: Map<string, string>
  readonly settings: HttpSettings
}

function exportLines(materials: Collection, { context, parameters, settings }: Exchange): Promise<Response> {
  const packing = packingOf(context, parameters)
  parameters.delete('gzip')
  const { asked, columns, warned } = readLinesRequest(parameters, settings, materialKind)
  holdPlace('exports', context)
  const warnings = (isEmpty: boolean) => listWarnings(materials, warned, isEmpty)
  return linesResponse({ name: 'materials', packing, lines: exportRecords(materials, asked), columns, warnings })
}

async function exportFiles(
  materials: Collection,
  { context, parameters, settings }: Exchange,
  format: StructureFormat,
): Promise<Response> {
  const terms = readPrintTerms(optionsOfAddress(parameters), format)
  for (const read of ['format', ...Object.keys(PRINT_OPTIONS)]) parameters.delete(read)
  const asked = readExportRequest(parameters, settings, materialKind)
  if (asked.fields !== null) throw noFieldsOfFiles()
  holdPlace('exports', context)
  const count = await countForArchive(materials, asked)
  const head = {
    type: 'application/zip',
    fileName: `materials-${format.name}.zip`,
    headers: warningHeaders(await listWarnings(materials, asked, count === 0)),
  }
  return fileResponse(head, exportArchive(materials, { ...asked, fields: null }, terms))
}

async function exportWhole(materials: Collection, { context, parameters, settings }: Exchange): Promise<Response> {
  const asked = readExportRequest(parameters, settings, materialKind)
  if (asked.fields !== null) throw noFieldsOfFiles()
  holdPlace('exports', context)
  const count = await countForArchive(materials, asked)
  const head = {
    type: 'application/zip',
    fileName: 'materials.zip',
    headers: warningHeaders(await listWarnings(materials, asked, count === 0)),
  }
  const { deps, session } = materials
  const parts = exportParts({ deps, session, kinds: [materialKind], request: asked, related: true, files: true })
  return fileResponse(head, zipExport(parts, deps.files, new ExportTally(deps.work.kinds)))
}

function noFieldsOfFiles(): AppError {
  const hint = 'Leave them out, or leave format and files out for the records with these fields.'
  return new AppError(
    HTTP_ERRORS.invalidParameter,
    `What an archive holds is whole, so the fields of the projection mean nothing. ${hint}`,
    { path: 'projection.fields', hint },
  )
}

export function exportMaterialRoute({ records }: HttpServices): Route {
  return {
    method: 'GET',
    path: `${API_PREFIX}/materials/:id/export`,
    access: 'session',
    operation: {
      id: 'exportMaterial',
      tag: 'Materials',
      summary: 'Read a material as a structure file',
      query: [
        {
          name: 'format',
          description: `One of ${formatNames(isWritten)}; without it, Accept decides.`,
          schema: TEXT,
          example: 'cif',
        },
        ...queryOf(PRINT_OPTIONS),
      ],
      headers: { Accept: 'chemical/x-cif, chemical/x-vasp, chemical/x-xyz or application/json.' },
      success: {
        description: 'The file, without an envelope.',
        schema: TEXT,
        types: ['chemical/x-cif', 'chemical/x-xyz', 'text/plain', 'application/json'],
      },
      failures: [404, 406, 422],
    },
    handler: async (context) => {
      const parameters = readParameters(context.query)
      assertKnown(parameters, ['format', ...Object.keys(PRINT_OPTIONS)])
      const format = acceptedFormat(parameters.get('format'), context.headers.accept)
      const terms = readPrintTerms(optionsOfAddress(parameters), format)
      const materials = collectionOf(context, records, materialKind)
      const { fileName, text, warnings } = await exportStructure(materials, pathId(context), terms)
      return fileResponse({ type: mediaTypeOf(format), fileName, headers: warningHeaders(warnings) }, text)
    },
  }
}
