import { isJsonArray, isJsonObject, type JsonObject, ownField } from '../../kernel/json.ts'
import { jarvisFormat as jarvisStructures } from '../../structure/formats/json/jarvis.ts'
import { takeWhole } from '../../structure/formats/json/json-fields.ts'
import type { OutputFormat } from '../calculation.ts'
import { takeObject, textOf } from './records/database-results.ts'
import { readJarvisFields } from './records/jarvis-fields.ts'
import { type DatabaseKind, JsonRecords } from './records/json-records.ts'
import { recordKeys } from './records/record-keys.ts'

/** Records of JARVIS-DFT, as `jarvis.db.figshare.data('dft_3d')` gives them: one, or a list. */
export const jarvisFormat: OutputFormat = {
  name: 'jarvis',
  title: 'JARVIS-DFT records',
  fileNames: /\.json$/i,
  recognizes: (head) => recordKeys(head).own.has('jid') && /"lattice_mat"\s*:|"optb88vdw_/.test(head),
  source: { kind: 'text', open: (limits) => new JsonRecords(KIND, limits) },
}

const KIND: DatabaseKind = {
  title: 'record of JARVIS',
  lists: ['data'],
  isRecord: (record) => textOf(ownField(record, 'jid')) !== undefined,
  hasStructure: (record) => isJsonObject(ownField(record, 'atoms')),
  structures: jarvisStructures,
  read: ({ crystal, fields }) => {
    takeEmptyNames(fields)
    return readJarvisFields(fields, crystal, '')
  },
}

/** Passes over the names of atoms where all are empty, as they are in nearly all records. */
function takeEmptyNames(record: JsonObject): void {
  const atoms = takeObject(record, 'atoms')
  const names = atoms === undefined ? undefined : ownField(atoms, 'props')
  if (atoms !== undefined && isJsonArray(names) && names.every((name) => name === '')) takeWhole(atoms, 'props')
}
