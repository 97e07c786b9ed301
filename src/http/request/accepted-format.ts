import { AppError } from '../../kernel/errors.ts'
import { writableFormat } from '../../records/kinds/material/print-material.ts'
import type { FormatName, StructureFormat } from '../../structure/formats/common/format.ts'
import { HTTP_ERRORS } from '../errors.ts'
import type { RequestContext } from '../exchange/context.ts'
import { plainTags } from '../exchange/response.ts'

/** The media type under which each format goes; those without an agreed one are plain text. */
const MEDIA_TYPES: Readonly<Partial<Record<FormatName, string>>> = {
  material: 'application/json; charset=utf-8',
  pymatgen: 'application/json; charset=utf-8',
  ase: 'application/json; charset=utf-8',
  optimade: 'application/vnd.api+json; charset=utf-8',
  cif: 'chemical/x-cif; charset=utf-8',
  xyz: 'chemical/x-xyz; charset=utf-8',
}

/** Media types that stand for a format in an Accept header, the first one for whatever is accepted. */
const FORMAT_OF_TYPE: ReadonlyMap<string, FormatName> = new Map([
  ['application/json', 'material'],
  ['chemical/x-cif', 'cif'],
  ['chemical/x-xyz', 'xyz'],
  ['chemical/x-vasp', 'poscar'],
  ['chemical/x-poscar', 'poscar'],
  ['application/vnd.api+json', 'optimade'],
  ['text/plain', 'poscar'],
])

export function mediaTypeOf({ name }: StructureFormat): string {
  return MEDIA_TYPES[name] ?? 'text/plain; charset=utf-8'
}

/** The format that is asked for by parameter, else by an Accept header. */
export function acceptedFormat(parameter: string | undefined, accept: string | undefined): StructureFormat {
  if (parameter !== undefined) return writableFormat(parameter)
  for (const range of rangesOf(accept ?? '*/*')) {
    for (const [type, format] of FORMAT_OF_TYPE) if (covers(range, type)) return writableFormat(format)
  }
  throw new AppError(HTTP_ERRORS.notAcceptable, 'No structure format has a media type that Accept names.', {
    path: 'Accept',
    hint: `Name a format with ?format=cif, or accept one of ${[...FORMAT_OF_TYPE.keys()].join(', ')}.`,
  })
}

/** The media ranges of an Accept header, the most wanted first; those with weight 0 are not wanted. */
function rangesOf(accept: string): readonly string[] {
  return accept
    .split(',', 100)
    .map((item) => {
      const [range = '', ...parameters] = item.split(';').map((part) => part.trim().toLowerCase())
      const weight = parameters.find((parameter) => parameter.startsWith('q='))
      return { range, weight: weight === undefined ? 1 : Number(weight.slice(2)) }
    })
    .filter(({ weight }) => weight > 0)
    .sort((one, other) => other.weight - one.weight)
    .map(({ range }) => range)
}

function covers(range: string, type: string): boolean {
  return range === '*/*' || range === type || (range.endsWith('/*') && type.startsWith(range.slice(0, -1)))
}

/** Reads the `If-Match` header as the option of a write; absent, the write is unconditional. */
export function ifMatch(context: RequestContext): { readonly ifMatch?: string } {
  const header = context.headers['if-match']
  return header === undefined ? {} : { ifMatch: plainTags(header) }
}
