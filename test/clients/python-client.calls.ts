import type { ClientCall } from './call.ts'
import { jsonDumps, type PythonValue } from './python-requests.ts'

type Fields = { readonly [key: string]: PythonValue }

/** What `list(query, projection)` of the released client sends: always both, as JSON. */
function list(
  endpoint: string,
  query: Fields = {},
  projection: Fields = {},
): Pick<ClientCall, 'call' | 'method' | 'path' | 'params'> {
  return {
    call: `${endpoint.replace('-', '_')}.list(${[query, projection].map(jsonDumps).join(', ')})`,
    method: 'GET',
    path: endpoint,
    params: { query: jsonDumps(query), projection: jsonDumps(projection) },
  }
}

/** What the newest client adds: the query once more as a search, flat options, and where to search. */
function search(
  endpoint: string,
  query: Fields = {},
  projection: Fields = {},
  flat: Record<string, string | number> = {},
) {
  const { params, call, ...rest } = list(endpoint, query, projection)
  const searches = Object.keys(query).length === 0 ? {} : { advancedSearches: jsonDumps([query]) }
  return { ...rest, call: `${call}, newest client`, params: { ...params, ...flat, ...searches } }
}

const EVERYWHERE = { globalSearch: 'true' }

const SILICON: Fields = {
  name: 'TEST MATERIAL',
  basis: {
    elements: [
      { id: 1, value: 'Si' },
      { id: 2, value: 'Si' },
    ],
    coordinates: [
      { id: 1, value: [0, 0, 0] },
      { id: 2, value: [0.25, 0.25, 0.25] },
    ],
    units: 'crystal',
    name: 'basis',
  },
  lattice: {
    type: 'FCC',
    a: 3.867,
    b: 3.867,
    c: 3.867,
    alpha: 60,
    beta: 60,
    gamma: 60,
    units: { length: 'angstrom', angle: 'degree' },
    vectors: {
      a: [3.867, 0, 0],
      b: [1.9335, 3.348920236434424, 0],
      c: [1.9335, 1.1163067454781415, 3.1573922784475164],
      name: 'lattice vectors',
      alat: 1,
      units: 'angstrom',
    },
  },
  tags: ['INTEGRATION-TEST'],
}
const SILICON_HASH = 'a665723ef7429caef6ca89385fe25bae'

const POSCAR = `GaAs
1.0
0.0 2.8 2.8
2.8 0.0 2.8
2.8 2.8 0.0
Ga As
1 1
Direct
0.00 0.00 0.00
0.25 0.25 0.25
`
const CIF = `data_NaCl
_cell_length_a 5.64
_cell_length_b 5.64
_cell_length_c 5.64
_cell_angle_alpha 90
_cell_angle_beta 90
_cell_angle_gamma 90
_symmetry_space_group_name_H-M 'F m -3 m'
loop_
_atom_site_label
_atom_site_fract_x
_atom_site_fract_y
_atom_site_fract_z
Na 0 0 0
Cl 0.5 0.5 0.5
`

const TAGGED = { tags: 'INTEGRATION-TEST' }
const OWN_TAGGED = { ...TAGGED, 'owner._id': '{account}' }

export const MATERIAL_CALLS: readonly ClientCall[] = [
  { ...list('materials', OWN_TAGGED), lists: [] },
  {
    call: 'materials.create(config)',
    method: 'PUT',
    path: 'materials/create',
    json: SILICON,
    returns: {
      name: 'TEST MATERIAL',
      tags: ['INTEGRATION-TEST'],
      formula: 'Si',
      unitCellFormula: 'Si2',
      hash: SILICON_HASH,
      scaledHash: '87e416358789a7c435eaaba0344af51d',
      owner: { _id: '{account}', cls: 'Account' },
      isDefault: false,
    },
    keeps: 'silicon',
  },
  {
    call: 'materials.create(config, owner_id)',
    method: 'PUT',
    path: 'materials/create',
    json: { ...SILICON, name: 'Zweites Präparat', owner: { _id: '{account}' } },
    returns: { name: 'Zweites Präparat', owner: { _id: '{account}' }, hash: SILICON_HASH },
    keeps: 'second',
  },
  {
    call: 'materials.create(config, owner_id) with an account of somebody else',
    method: 'PUT',
    path: 'materials/create',
    json: { ...SILICON, owner: { _id: '{stranger}' } },
    raises: 'Error 403: ',
  },
  {
    call: 'materials.create({})',
    method: 'PUT',
    path: 'materials/create',
    json: {},
    raises: 'Error 422: ',
  },
  {
    call: 'materials.get(id)',
    method: 'GET',
    path: 'materials/{silicon}',
    returns: { _id: '{silicon}', name: 'TEST MATERIAL' },
  },
  { call: 'materials.get(id) of none', method: 'GET', path: 'materials/2222222222222222A', raises: 'Error 404: ' },
  { ...list('materials', OWN_TAGGED), lists: ['{silicon}', '{second}'] },
  { ...list('materials', { formula: 'Si', ...OWN_TAGGED }, { limit: 1, sort: { name: 1 } }), lists: ['{silicon}'] },
  { ...list('materials', { hash: SILICON_HASH, 'owner._id': '{account}' }), lists: ['{silicon}', '{second}'] },
  {
    ...list('materials', { name: { $regex: 'zweites\\ präp', $options: 'i' }, 'owner._id': '{account}' }),
    lists: ['{second}'],
  },
  { ...list('materials', { _id: { $in: ['{silicon}'] } }, { fields: { name: 1 } }), lists: ['{silicon}'] },
  { ...list('materials', { 'lattice.a': { $gtt: 1 } }), raises: 'Error 400: Unknown query operator "$gtt"' },
  { ...list('materials', {}, { limit: 501 }), raises: 'Error 400: ' },
  { ...search('materials', OWN_TAGGED, {}, EVERYWHERE), lists: ['{silicon}', '{second}'] },
  {
    ...search(
      'materials',
      OWN_TAGGED,
      { limit: 1, skip: 1, sort: { name: -1 } },
      { limit: 1, skip: 1, sort: '-name', ...EVERYWHERE },
    ),
    lists: ['{silicon}'],
  },
  {
    call: 'materials.update(id, {"name": "UPDATED"})',
    method: 'PATCH',
    path: 'materials/{silicon}',
    json: { name: 'UPDATED' },
    returns: { _id: '{silicon}', name: 'UPDATED', slug: 'updated', formula: 'Si' },
  },
  {
    call: 'materials.update(id, {"$set": {"metadata.note": "ö"}})',
    method: 'PATCH',
    path: 'materials/{silicon}',
    json: { $set: { 'metadata.note': 'ö' } },
    returns: { metadata: { note: 'ö' } },
  },
  {
    call: 'materials.copy(id)',
    method: 'POST',
    path: 'materials/{silicon}/copy',
    returns: { hash: SILICON_HASH, owner: { _id: '{account}' }, isDefault: false },
    keeps: 'copy',
  },
  { call: 'materials.delete(id)', method: 'DELETE', path: 'materials/{copy}', returns: {} },
  { call: 'materials.delete(id) again', method: 'DELETE', path: 'materials/{copy}', raises: 'Error 404: ' },
  { ...list('materials', OWN_TAGGED), lists: ['{silicon}', '{second}'] },
]

const imported = (fields: Fields): Fields => ({
  name: 'imported',
  content: POSCAR,
  format: 'poscar',
  'owner._id': null,
  tags: [],
  ...fields,
})

export const IMPORT_CALLS: readonly ClientCall[] = [
  {
    call: 'materials.import_from_file(name, content)',
    method: 'POST',
    path: 'materials/import',
    json: imported({}),
    returns: { name: 'imported', formula: 'GaAs', owner: { _id: '{account}' }, src: { extension: 'poscar' } },
    keeps: 'imported',
  },
  {
    call: 'materials.import_from_file(name, content, owner_id, "cif", tags)',
    method: 'POST',
    path: 'materials/import',
    json: imported({ content: CIF, format: 'cif', 'owner._id': '{account}', tags: ['salt', 'IMPORTED'] }),
    returns: { formula: 'NaCl', unitCellFormula: 'Na4Cl4', tags: ['salt', 'IMPORTED'], owner: { _id: '{account}' } },
  },
  {
    call: 'materials.import_from_file(name, content, owner_id) with an account of somebody else',
    method: 'POST',
    path: 'materials/import',
    json: imported({ 'owner._id': '{stranger}' }),
    raises: 'Error 403: ',
  },
  {
    call: 'materials.import_from_file(name, a POSCAR that ends early)',
    method: 'POST',
    path: 'materials/import',
    json: imported({ content: POSCAR.slice(0, POSCAR.indexOf('0.25 0.25')) }),
    raises: 'Error 422: Line 10: 2 atoms announced, 1 found.',
  },
]

export const SET_CALLS: readonly ClientCall[] = [
  {
    call: 'materials.create_set(config)',
    method: 'PUT',
    path: 'materials/create-set',
    json: { name: 'Strained silicon', owner: { _id: '{account}' }, entitySetType: 'ordered' },
    returns: { name: 'Strained silicon', isEntitySet: true, entitySetType: 'ordered', owner: { _id: '{account}' } },
    keeps: 'set',
  },
  {
    call: 'materials.move_to_set(id, "", set_id)',
    method: 'POST',
    path: 'materials/{silicon}/move-to-set',
    params: { oldSetId: '', newSetId: '{set}' },
    returns: { inSet: [{ _id: '{set}', index: 0 }] },
  },
  {
    call: 'materials.move_to_set(id, "", set_id) of another',
    method: 'POST',
    path: 'materials/{second}/move-to-set',
    params: { oldSetId: '', newSetId: '{set}' },
    returns: { inSet: [{ _id: '{set}', index: 1 }] },
  },
  {
    ...list('materials', { 'owner._id': '{account}', 'inSet._id': '{set}', isEntitySet: { $ne: true } }),
    lists: ['{silicon}', '{second}'],
  },
  {
    ...search('materials', { 'owner._id': '{account}', 'inSet._id': '{set}' }, {}, { setId: '{set}' }),
    lists: ['{silicon}', '{second}'],
  },
  {
    ...list('materials', { 'owner._id': '{account}', isEntitySet: true, name: { $regex: 'strained', $options: 'i' } }),
    lists: ['{set}'],
  },
  { ...search('materials', { 'owner._id': '{account}', isEntitySet: true }), lists: ['{set}'] },
  {
    call: 'materials.update_set(set_id, config)',
    method: 'PUT',
    path: 'materials/{set}/update-set',
    json: { name: 'Strain series' },
    returns: { _id: '{set}', name: 'Strain series', entitySetType: 'ordered' },
  },
  {
    call: 'materials.move_to_set(id, set_id, "")',
    method: 'POST',
    path: 'materials/{second}/move-to-set',
    params: { oldSetId: '{set}', newSetId: '' },
    returns: { _id: '{second}' },
  },
  { ...list('materials', { 'inSet._id': '{set}' }), lists: ['{silicon}'] },
]

export const DEFAULT_CALLS: readonly ClientCall[] = [
  {
    call: 'materials.show_default() before there is one',
    method: 'GET',
    path: 'materials/default',
    raises: 'Error 404: The account ada has no default material.',
  },
  {
    call: 'materials.set_default(id)',
    method: 'POST',
    path: 'materials/{silicon}/set-default',
    returns: { _id: '{silicon}', isDefault: true },
  },
  {
    call: 'materials.show_default() afterwards',
    method: 'GET',
    path: 'materials/default',
    returns: { _id: '{silicon}' },
  },
  {
    call: 'materials.show_default(account_id)',
    method: 'GET',
    path: 'materials/default',
    params: { accountId: '{organization}' },
    raises: 'Error 404: The account crystal-lab has no default material.',
  },
  {
    call: 'materials.show_default(account_id) of somebody else',
    method: 'GET',
    path: 'materials/default',
    params: { accountId: '{stranger}' },
    raises: 'Error 403: ',
  },
  { call: 'materials.delete(default_id)', method: 'DELETE', path: 'materials/{silicon}', raises: 'Error 409: ' },
  {
    ...list('projects', { isDefault: true, 'owner._id': '{account}' }),
    returns: [{ name: 'Default', isDefault: true }],
  },
  { ...search('projects', { isDefault: true, 'owner._id': '{account}' }), returns: [{ name: 'Default' }] },
  {
    call: 'projects.show_default()',
    method: 'GET',
    path: 'projects/default',
    returns: { name: 'Default', isDefault: true },
  },
  {
    call: 'workflows.create(config)',
    method: 'PUT',
    path: 'workflows/create',
    json: { name: 'Total energy', subworkflows: [], units: [], hash: '0123456789abcdef0123456789abcdef' },
    returns: { name: 'Total energy', hash: '0123456789abcdef0123456789abcdef' },
    keeps: 'workflow',
  },
  { call: 'workflows.set_default(id)', method: 'POST', path: 'workflows/{workflow}/set-default', returns: {} },
  { call: 'workflows.show_default()', method: 'GET', path: 'workflows/default', returns: { _id: '{workflow}' } },
]

export const ACCOUNT_CALLS: readonly ClientCall[] = [
  {
    call: 'client.list_accounts()',
    method: 'GET',
    path: '/api/v1/users/me',
    returns: {
      user: { entity: { defaultAccountId: '{account}' } },
      accounts: [
        { entity: { _id: '{account}', name: 'ada', type: 'personal' }, isDefault: true },
        { entity: { _id: '{organization}', name: 'crystal-lab', type: 'organization' }, isDefault: false },
      ],
    },
  },
  {
    call: 'client.get_account("crystal"), client of early 2026',
    method: 'GET',
    path: '/api/v1/users/me',
    returns: { user: { accounts: [{ entity: { _id: '{account}' } }, { entity: { _id: '{organization}' } }] } },
  },
  {
    call: 'materials.create(config, client.my_organization.id)',
    method: 'PUT',
    path: 'materials/create',
    json: { ...SILICON, tags: [], owner: { _id: '{organization}' } },
    returns: { owner: { _id: '{organization}' }, hash: SILICON_HASH },
  },
]

export const BANK_CALLS: readonly ClientCall[] = [
  {
    call: 'materials.update(id, {"isPublic": True})',
    method: 'PATCH',
    path: 'materials/{imported}',
    json: { isPublic: true },
    returns: { isPublic: true },
  },
  { ...list('bank-materials', { formula: 'GaAs' }), returns: [{ formula: 'GaAs' }] },
  {
    ...search('bank-materials', { formula: 'GaAs' }, { limit: 1 }, { limit: 1 }),
    returns: [{ formula: 'GaAs' }],
    keeps: 'banked',
  },
  {
    call: 'bank_materials.get(id)',
    method: 'GET',
    path: 'bank-materials/{banked}',
    returns: { _id: '{banked}', formula: 'GaAs' },
  },
  {
    call: 'bank_materials.copy(id)',
    method: 'POST',
    path: 'bank-materials/{banked}/copy',
    params: { accountId: null },
    returns: { formula: 'GaAs', owner: { _id: '{account}' } },
  },
  {
    call: 'bank_materials.copy(id, account_id)',
    method: 'POST',
    path: 'bank-materials/{banked}/copy',
    params: { accountId: '{organization}' },
    returns: { formula: 'GaAs', owner: { _id: '{organization}' } },
  },
]

export const JOB_CALLS: readonly ClientCall[] = [
  {
    call: 'jobs.create(config)',
    method: 'PUT',
    path: 'jobs/create',
    json: {
      _project: { _id: 'p' },
      workflow: { _id: '{workflow}' },
      owner: { _id: '{account}' },
      name: 'relax Si',
      _material: { _id: '{silicon}' },
    },
    returns: { name: 'relax Si', status: 'pre-submission' },
    keeps: 'job',
  },
  { call: 'jobs.submit(id)', method: 'POST', path: 'jobs/{job}/submit', raises: 'Error 501: ' },
  { ...list('jobs', { _id: { $in: ['{job}'] } }, { fields: { status: 1 } }), returns: [{ status: 'pre-submission' }] },
  { ...search('jobs', { _id: '{job}' }, {}, EVERYWHERE), lists: ['{job}'] },
  { ...list('properties', { 'source.info.jobId': '{job}', 'data.name': 'band_gaps' }), lists: [] },
  { call: 'clusters.list()', method: 'GET', path: 'infrastructure/clusters', lists: [] },
  { call: 'clusters.list(), older client', method: 'GET', path: 'other/clusters', lists: [] },
]
