import type { JsonObject } from '../../kernel/json.ts'
import { materialKind } from '../../records/kinds/material/material-kind.ts'
import type { StructureFile } from '../../records/kinds/material/structure-files.ts'
import { getRecord } from '../../records/use-cases/read-records.ts'
import type { RecordWork } from '../../records/work/deps.ts'
import { fieldsOf } from '../../records/work/stored-text.ts'
import type { StoredRecord } from '../../store/port/record-store.ts'
import { NEUTRON, RADIATIONS } from '../../structure/diffraction/radiation.ts'
import { API_PREFIX } from '../address.ts'
import type { RequestContext } from '../exchange/context.ts'
import { collectionOf, sessionOf } from '../exchange/context.ts'
import { dataTextResponse } from '../exchange/response.ts'
import type { Operation, QueryParameter, Route } from '../exchange/route.ts'
import { object, TEXT } from '../openapi/schemas.ts'
import { assertNoParameters, knownParameters, pathId } from '../request/parameters.ts'
import {
  DIFFRACTION_NAMES,
  diffractionFields,
  diffractionParameters,
  standardCellParameter,
  toleranceField,
  toleranceParameter,
} from '../request/structure-terms.ts'
import type { HttpServices } from '../services.ts'
import {
  CONTENT,
  FORMAT,
  FRAME,
  readStructureBody,
  STANDARD_CELL,
  STRUCTURE_BODY_LIMIT,
  TOLERANCE,
} from './structures.ts'

/** Routes for data computed of a crystal, stored or sent, and not kept: powder pattern, reciprocal space, analysis. */
export function crystalRoutes(services: HttpServices): readonly Route[] {
  return [
    materialDiffractionRoute(services),
    structureDiffractionRoute(services),
    materialReciprocalRoute(services),
    structureReciprocalRoute(services),
    materialAnalysisRoute(services),
  ]
}

/** The fields of a material that say what its structure is. */
const STRUCTURE_FIELDS = ['name', 'basis', 'lattice', 'isNonPeriodic']

/** A stored material as the file that it could have come from. */
export async function storedStructure({ records }: HttpServices, context: RequestContext): Promise<StructureFile> {
  const record = await getRecord(collectionOf(context, records, materialKind), pathId(context))
  return structureFileOf(records.work, sessionOf(context).user.id, record)
}

/** A material as the file that it could have come from. */
export async function structureFileOf(
  work: RecordWork,
  user: string,
  { text }: Pick<StoredRecord, 'text'>,
): Promise<StructureFile> {
  const fields = await fieldsOf(work, user, text, STRUCTURE_FIELDS)
  return { text: JSON.stringify(fields), format: 'material' }
}

const NUMBER: JsonObject = { type: 'number' }
const RADIATION: JsonObject = { ...TEXT, enum: [...Object.keys(RADIATIONS), NEUTRON] }
const DIFFRACTING_CELL: JsonObject = { ...TEXT, enum: ['conventional', 'given'] }

export const TOLERANCE_PARAMETER: QueryParameter = {
  name: 'tolerance',
  description: String(TOLERANCE.description),
  schema: NUMBER,
}

const DIFFRACTION_QUERY: readonly QueryParameter[] = [
  {
    name: 'radiation',
    description: 'CuKa where nothing is said; Ka is the weighted mean of both lines. neutron: by the nuclei.',
    schema: RADIATION,
  },
  {
    name: 'wavelength',
    description: 'In Å, in place of radiation, or beside neutron (1.798 Å where nothing is said).',
    schema: NUMBER,
  },
  { name: 'min', description: 'Least 2θ in degrees, 0 where nothing is said.', schema: NUMBER },
  { name: 'max', description: 'Most 2θ in degrees, 90 where nothing is said.', schema: NUMBER },
  {
    name: 'cell',
    description: 'Which cell diffracts: conventional, idealised to its symmetry, or given, as it is.',
    schema: DIFFRACTING_CELL,
  },
  TOLERANCE_PARAMETER,
]

const PATTERN: Operation['success'] = {
  status: 200,
  description:
    'Peaks by angle: 2θ in degrees, d in Å, intensity with 100 for the strongest, and the planes with their multiplicity.',
  schema: { type: 'object' },
}

function materialDiffractionRoute(services: HttpServices): Route {
  const { records } = services
  return {
    method: 'GET',
    path: `${API_PREFIX}/materials/:id/diffraction`,
    access: 'session',
    operation: {
      id: 'getMaterialDiffraction',
      tag: 'Materials',
      summary: 'Compute the powder pattern of a material',
      description:
        'X-rays or neutrons, neutral atoms at rest, no dispersion, no moments; for X-rays with polarisation without a monochromator.',
      query: DIFFRACTION_QUERY,
      success: PATTERN,
      failures: [404, 422],
    },
    handler: async (context) => {
      const terms = diffractionParameters(knownParameters(context, DIFFRACTION_NAMES))
      const file = await storedStructure(services, context)
      return dataTextResponse(await records.work.run('diffraction', sessionOf(context).user.id, { file, terms }))
    },
  }
}

function structureDiffractionRoute({ records }: HttpServices): Route {
  return {
    method: 'POST',
    path: `${API_PREFIX}/structures/diffraction`,
    access: 'session',
    repeats: 'needless',
    bodyLimit: STRUCTURE_BODY_LIMIT,
    readsLong: true,
    operation: {
      id: 'diffractStructure',
      tag: 'Structures',
      summary: 'Compute the powder pattern of a structure file',
      description: 'Nothing is stored.',
      body: {
        schema: object(
          {
            content: CONTENT,
            format: FORMAT,
            frame: FRAME,
            name: TEXT,
            radiation: RADIATION,
            wavelength: NUMBER,
            min: NUMBER,
            max: NUMBER,
            cell: DIFFRACTING_CELL,
            tolerance: TOLERANCE,
          },
          ['format', 'frame', 'name', 'radiation', 'wavelength', 'min', 'max', 'cell', 'tolerance'],
        ),
        example: { content: 'Po\n1\n3.35 0 0\n0 3.35 0\n0 0 3.35\nPo\n1\nDirect\n0 0 0\n', radiation: 'CuKa', max: 60 },
      },
      success: PATTERN,
      failures: [422],
    },
    handler: async (context) => {
      assertNoParameters(context)
      const { file, fields } = await readStructureBody(records.work, context, DIFFRACTION_NAMES)
      const terms = diffractionFields(fields)
      return dataTextResponse(await records.work.run('diffraction', sessionOf(context).user.id, { file, terms }))
    },
  }
}

const RECIPROCAL: Operation['success'] = {
  status: 200,
  description:
    'The zone as corners and faces, points with labels, the path, and the primitive cell to which they refer.',
  schema: { type: 'object' },
}
const CONVENTION = 'After Setyawan and Curtarolo, Comput. Mater. Sci. 49, 299 (2010), for their primitive cell.'

function materialReciprocalRoute(services: HttpServices): Route {
  const { records } = services
  return {
    method: 'GET',
    path: `${API_PREFIX}/materials/:id/reciprocal`,
    access: 'session',
    operation: {
      id: 'getMaterialReciprocal',
      tag: 'Materials',
      summary: 'Compute the Brillouin zone of a material and the k-path through it',
      description: CONVENTION,
      query: [TOLERANCE_PARAMETER],
      success: RECIPROCAL,
      failures: [404, 422],
    },
    handler: async (context) => {
      const tolerance = toleranceParameter(knownParameters(context, ['tolerance']))
      const file = await storedStructure(services, context)
      return dataTextResponse(await records.work.run('reciprocal', sessionOf(context).user.id, { file, tolerance }))
    },
  }
}

function structureReciprocalRoute({ records }: HttpServices): Route {
  return {
    method: 'POST',
    path: `${API_PREFIX}/structures/reciprocal`,
    access: 'session',
    repeats: 'needless',
    bodyLimit: STRUCTURE_BODY_LIMIT,
    readsLong: true,
    operation: {
      id: 'reciprocalOfStructure',
      tag: 'Structures',
      summary: 'Compute the Brillouin zone of a structure file and the k-path through it',
      description: `${CONVENTION} Nothing is stored.`,
      body: {
        schema: object({ content: CONTENT, format: FORMAT, frame: FRAME, name: TEXT, tolerance: TOLERANCE }, [
          'format',
          'frame',
          'name',
          'tolerance',
        ]),
        example: { content: 'Po\n1\n3.35 0 0\n0 3.35 0\n0 0 3.35\nPo\n1\nDirect\n0 0 0\n' },
      },
      success: RECIPROCAL,
      failures: [422],
    },
    handler: async (context) => {
      assertNoParameters(context)
      const { file, fields } = await readStructureBody(records.work, context, ['tolerance'])
      const tolerance = toleranceField(fields.tolerance)
      return dataTextResponse(await records.work.run('reciprocal', sessionOf(context).user.id, { file, tolerance }))
    },
  }
}

function materialAnalysisRoute(services: HttpServices): Route {
  const { records } = services
  return {
    method: 'GET',
    path: `${API_PREFIX}/materials/:id/analysis`,
    access: 'session',
    operation: {
      id: 'getMaterialAnalysis',
      tag: 'Materials',
      summary: 'Say of a material what can be computed of its structure',
      description: 'As POST /structures/analyze says of a file: sites by orbit among it, and a standard cell.',
      query: [
        { name: 'cell', description: 'The standard cell to write the structure in.', schema: STANDARD_CELL },
        TOLERANCE_PARAMETER,
      ],
      success: {
        status: 200,
        description: 'The analysis; orbits are null where the symmetry is not known.',
        schema: { type: 'object' },
      },
      failures: [404, 422],
    },
    handler: async (context) => {
      const parameters = knownParameters(context, ['cell', 'tolerance'])
      const terms = { cell: standardCellParameter(parameters), tolerance: toleranceParameter(parameters) }
      const file = await storedStructure(services, context)
      return dataTextResponse(await records.work.run('analyze', sessionOf(context).user.id, { file, ...terms }))
    },
  }
}
