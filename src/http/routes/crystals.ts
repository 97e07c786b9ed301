import type { Json, JsonObject } from '../../kernel/json.ts'
import { materialKind } from '../../records/kinds/material/material-kind.ts'
import type { SentFile, StructureFile } from '../../records/kinds/material/structure-files.ts'
import { getRecord } from '../../records/use-cases/read-records.ts'
import type { RecordWork } from '../../records/work/deps.ts'
import { fieldsOf } from '../../records/work/stored-text.ts'
import type { StoredRecord } from '../../store/port/record-store.ts'
import { NEUTRON, RADIATIONS } from '../../structure/diffraction/radiation.ts'
import { API_PREFIX } from '../address.ts'
import { collectionOf, sessionOf } from '../exchange/context.ts'
import { dataTextResponse } from '../exchange/response.ts'
import type { Operation, Route } from '../exchange/route.ts'
import { TEXT } from '../openapi/schemas.ts'
import { assertNoParameters, knownParameters, pathId } from '../request/parameters.ts'
import {
  DIFFRACTING_CELLS,
  type OptionSource,
  optionsOfAddress,
  optionsOfBody,
  readBasisWanted,
  readDiffraction,
  readStandardCell,
  readTolerance,
} from '../request/structure-terms.ts'
import type { HttpServices } from '../services.ts'
import {
  queryOf,
  readStructureBody,
  STANDARD_CELL,
  STRUCTURE_BODY_LIMIT,
  structureBody,
  TOLERANCE,
} from './structures.ts'

/** What is computed of a crystal, stored or sent, and not kept. */
interface Computation {
  /** Parameters of the address for a stored one, fields of the body for one that is sent. */
  readonly options: Readonly<Record<string, JsonObject>>
  readonly success: Operation['success']
  /** Of a stored material: behind its address, `/materials/:id/`. */
  readonly stored: OperationTexts
  /** Of a file: behind `/structures/`. */
  readonly sent: OperationTexts & { readonly example: Json }
  /** The answer as JSON text. */
  readonly compute: (work: RecordWork, user: string, file: SentFile, options: OptionSource) => Promise<string>
}

interface OperationTexts extends Pick<Operation, 'id' | 'summary' | 'description'> {
  readonly path: string
}

const BASIS: JsonObject = {
  type: 'boolean',
  description: 'Whether the atoms are told as well, so that they can be drawn.',
}
const POLONIUM = 'Po\n1\n3.35 0 0\n0 3.35 0\n0 0 3.35\nPo\n1\nDirect\n0 0 0\n'
const ZONE_SOURCE = 'After Setyawan and Curtarolo, Comput. Mater. Sci. 49, 299 (2010), for their primitive cell.'
const NEIGHBOURS_SOURCE =
  'By the solid angles of Voronoi cells, as CrystalNN has it: Zimmermann and Jain, RSC Adv. 10, 6063 (2020).'

const COMPUTATIONS: readonly Computation[] = [
  {
    options: { cell: STANDARD_CELL, tolerance: TOLERANCE, basis: BASIS },
    success: answer(
      'The fields that the server computes for materials; orbits are null where the symmetry is not known.',
    ),
    stored: {
      path: 'analysis',
      id: 'getMaterialAnalysis',
      summary: 'Say of a material what can be computed of its structure',
      description: 'As POST /structures/analyze says of a file: sites by orbit among it, and a standard cell.',
    },
    sent: {
      path: 'analyze',
      id: 'analyzeStructure',
      summary: 'Say of a structure file what a material made from it would say',
      description:
        'Formula, volume, density, symmetry, sites by orbit, and what is odd about it; with cell, the structure in a standard cell. Nothing is stored.',
      example: { content: '2\nLattice="4 0 0 0 4 0 0 0 4"\nCs 0 0 0\nCl 2 2 2\n', format: 'xyz' },
    },
    compute: (work, user, file, options) =>
      work.run('analyze', user, {
        file,
        cell: readStandardCell(options),
        tolerance: readTolerance(options),
        basis: readBasisWanted(options),
      }),
  },
  {
    options: {
      radiation: {
        ...TEXT,
        enum: [...Object.keys(RADIATIONS), NEUTRON],
        description: 'CuKa where nothing is said; Ka is the weighted mean of both lines. neutron: by the nuclei.',
      },
      wavelength: {
        type: 'number',
        description: 'In Å, in place of radiation, or beside neutron (1.798 Å where nothing is said).',
      },
      min: { type: 'number', description: 'Least 2θ in degrees, 0 where nothing is said.' },
      max: { type: 'number', description: 'Most 2θ in degrees, 90 where nothing is said.' },
      cell: {
        ...TEXT,
        enum: [...DIFFRACTING_CELLS],
        description: 'Which cell diffracts: conventional, idealised to its symmetry, or given, as it is.',
      },
      tolerance: TOLERANCE,
    },
    success: answer(
      'Peaks by angle: 2θ in degrees, d in Å, intensity with 100 for the strongest, and the planes with their multiplicity.',
    ),
    stored: {
      path: 'diffraction',
      id: 'getMaterialDiffraction',
      summary: 'Compute the powder pattern of a material',
      description:
        'X-rays or neutrons, neutral atoms at rest, no dispersion, no moments; for X-rays with polarisation without a monochromator.',
    },
    sent: {
      path: 'diffraction',
      id: 'diffractStructure',
      summary: 'Compute the powder pattern of a structure file',
      description: 'Nothing is stored.',
      example: { content: POLONIUM, radiation: 'CuKa', max: 60 },
    },
    compute: (work, user, file, options) => work.run('diffraction', user, { file, terms: readDiffraction(options) }),
  },
  {
    options: { tolerance: TOLERANCE },
    success: answer(
      'The zone as corners and faces, points with labels, the path, and the primitive cell to which they refer.',
    ),
    stored: {
      path: 'reciprocal',
      id: 'getMaterialReciprocal',
      summary: 'Compute the Brillouin zone of a material and the k-path through it',
      description: ZONE_SOURCE,
    },
    sent: {
      path: 'reciprocal',
      id: 'reciprocalOfStructure',
      summary: 'Compute the Brillouin zone of a structure file and the k-path through it',
      description: `${ZONE_SOURCE} Nothing is stored.`,
      example: { content: POLONIUM },
    },
    compute: (work, user, file, options) => work.run('reciprocal', user, { file, tolerance: readTolerance(options) }),
  },
  {
    options: {},
    success: answer(
      'Sites by orbit where the symmetry is known: coordination number, bond lengths in Å, neighbours by element, and each bond.',
    ),
    stored: {
      path: 'coordination',
      id: 'getMaterialCoordination',
      summary: 'Find coordination numbers and bond lengths of a material',
      description: NEIGHBOURS_SOURCE,
    },
    sent: {
      path: 'coordination',
      id: 'coordinationOfStructure',
      summary: 'Find coordination numbers and bond lengths of a structure file',
      description: `${NEIGHBOURS_SOURCE} Nothing is stored.`,
      example: { content: POLONIUM },
    },
    compute: (work, user, file) => work.run('coordination', user, { file }),
  },
]

function answer(description: string): Operation['success'] {
  return { status: 200, description, schema: { type: 'object' } }
}

/** Routes for all that is computed of crystals: analysis, powder pattern, reciprocal space, neighbours. */
export function crystalRoutes(services: HttpServices): readonly Route[] {
  return COMPUTATIONS.flatMap((computation) => [storedRoute(services, computation), sentRoute(services, computation)])
}

function storedRoute({ records }: HttpServices, { options, success, stored, compute }: Computation): Route {
  const { path, ...texts } = stored
  return {
    method: 'GET',
    path: `${API_PREFIX}/materials/:id/${path}`,
    access: 'session',
    operation: { ...texts, tag: 'Materials', query: queryOf(options), success, failures: [404, 422] },
    handler: async (context) => {
      const source = optionsOfAddress(knownParameters(context, Object.keys(options)))
      const user = sessionOf(context).user.id
      const record = await getRecord(collectionOf(context, records, materialKind), pathId(context))
      return dataTextResponse(
        await compute(records.work, user, await structureFileOf(records.work, user, record), source),
      )
    },
  }
}

function sentRoute({ records }: HttpServices, { options, success, sent, compute }: Computation): Route {
  const { path, example, ...texts } = sent
  return {
    method: 'POST',
    path: `${API_PREFIX}/structures/${path}`,
    access: 'session',
    repeats: 'needless',
    bodyLimit: STRUCTURE_BODY_LIMIT,
    readsLong: true,
    operation: { ...texts, tag: 'Structures', body: structureBody(options, example), success, failures: [422] },
    handler: async (context) => {
      assertNoParameters(context)
      const { file, fields } = await readStructureBody(records.work, context, Object.keys(options))
      return dataTextResponse(await compute(records.work, sessionOf(context).user.id, file, optionsOfBody(fields)))
    },
  }
}

/** The fields of a material that say what its structure is. */
const STRUCTURE_FIELDS = ['name', 'basis', 'lattice', 'isNonPeriodic', 'periodicDirections', 'pbc', 'dimension_types']

/** A stored material as the file that it could have come from. */
export async function structureFileOf(
  work: RecordWork,
  user: string,
  { id, text }: Pick<StoredRecord, 'id' | 'text'>,
): Promise<StructureFile> {
  const fields = await fieldsOf(work, user, text, STRUCTURE_FIELDS)
  return { text: JSON.stringify(fields), format: 'material', of: id }
}
