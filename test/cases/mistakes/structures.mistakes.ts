import type { Json } from '../../../src/kernel/json.ts'
import { formatNames } from '../../../src/structure/formats/registry.ts'
import { form, get, type Mistakes, mistakesOf, post } from './mistake.ts'

const analyze = (content: Json, rest: object = {}) =>
  post('structures/analyze', JSON.parse(JSON.stringify({ content, ...rest })))
const convert = (content: Json, rest: object = {}) =>
  post('structures/convert', JSON.parse(JSON.stringify({ content, ...rest })))
const store = (content: Json, rest: object = {}) =>
  post('materials/import', JSON.parse(JSON.stringify({ content, ...rest })))

const POSCAR = 'Si\n1.0\n0 2.7 2.7\n2.7 0 2.7\n2.7 2.7 0\nSi\n2\nDirect\n0 0 0\n0.25 0.25 0.25\n'
const XYZ = '2\nLattice="5 0 0 0 5 0 0 0 5" Properties=species:S:1:pos:R:3\nSi 0 0 0\nSi 1.3 1.3 1.3\n'
const CIF = [
  'data_si',
  '_cell_length_a 3.867',
  '_cell_length_b 3.867',
  '_cell_length_c 3.867',
  '_cell_angle_alpha 60',
  '_cell_angle_beta 60',
  '_cell_angle_gamma 60',
  "_symmetry_space_group_name_H-M 'P 1'",
  'loop_',
  '_atom_site_label',
  '_atom_site_fract_x',
  '_atom_site_fract_y',
  '_atom_site_fract_z',
  'Si1 0 0 0',
  'Si2 0.25 0.25 0.25',
  '',
].join('\n')

/** Structure files that are not what their reader takes them for. */
export const STRUCTURES: readonly Mistakes[] = [
  mistakesOf('who sends a POSCAR', [
    [
      'without the names of its elements',
      analyze(POSCAR.replace('Si\n2\n', '2\n').replace('Si\n1.0', 'cell\n1.0'), { format: 'poscar' }),
      42230,
      'Add a line of element symbols before the numbers of atoms.',
    ],
    [
      'with more atoms than lines',
      analyze(POSCAR.replace('\n2\nDirect', '\n3\nDirect')),
      42232,
      'The numbers of atoms must add up to the number of coordinate lines.',
    ],
    [
      'with fewer atoms than lines',
      analyze(POSCAR.replace('\n2\nDirect', '\n1\nDirect')),
      'more-coordinates',
      'More coordinates follow than the numbers of atoms announce; they are left out.',
    ],
    [
      'with counts that do not fit the elements',
      analyze(POSCAR.replace('\n2\nDirect', '\n1 1\nDirect')),
      42232,
      'Give one number for each species.',
    ],
    [
      'with a comma for a point',
      analyze(POSCAR.replaceAll('2.7', '2,7')),
      42226,
      'Name its format, one of nomad, optimade, jarvis, pymatgen, ase, material,',
    ],
    [
      'without its mode',
      analyze(POSCAR.replace('Direct\n', '')),
      42225,
      'Line 8: The line that says "Direct" or "Cartesian" is missing.',
    ],
    [
      'with two vectors only',
      analyze(POSCAR.replace('2.7 2.7 0\n', '')),
      42226,
      'Name its format, one of nomad, optimade, jarvis, pymatgen, ase, material,',
    ],
    [
      'with a scale of zero',
      analyze(POSCAR.replace('1.0', '0.0')),
      42225,
      'Give one scale factor, a negative volume, or three positive factors.',
    ],
    [
      'with vectors in one plane',
      analyze(POSCAR.replace('2.7 2.7 0\n', '2.7 0 2.7\n')),
      42231,
      'Give three vectors in ångström that do not lie in one plane.',
    ],
    [
      'with two atoms at one place',
      analyze(POSCAR.replace('0.25 0.25 0.25', '0 0 1')),
      42229,
      'Remove one of the two atoms.',
    ],
    [
      'with an element that is none',
      analyze(POSCAR.replaceAll('Si\n', 'Jq\n')),
      42230,
      'Line 6 lists the symbols of the elements.',
    ],
    [
      'with fractions as cartesian',
      analyze(POSCAR.replace('Direct', 'Cartesian')),
      'atomsOverlap',
      'Atom Si at position 2 is 0.433 Å from Si at position 1; atoms of',
    ],
    [
      'in nanometres',
      analyze(POSCAR.replaceAll('2.7', '0.27')),
      'atomsOverlap',
      'Atom Si at position 1 is 0.382 Å from an image of itself; atoms of',
    ],
    [
      'as its name',
      analyze('POSCAR'),
      42226,
      'Name its format, one of nomad, optimade, jarvis, pymatgen, ase, material,',
    ],
    [
      'as its path',
      analyze('/home/ada/POSCAR'),
      42226,
      'Name its format, one of nomad, optimade, jarvis, pymatgen, ase, material,',
    ],
    [
      'as an OUTCAR',
      analyze('vasp.6.3.0 executed on LinuxIFC\n POSCAR found : 1 types and 2 ions\n'),
      42226,
      'looks like an OUTCAR of VASP. POST /jobs/import reads its calculations',
    ],
  ]),
  mistakesOf('who sends other structure files', [
    [
      'a CIF without cell',
      analyze(CIF.replace('_cell_length_a 3.867\n', '')),
      42231,
      'A crystal needs _cell_length_a, _cell_length_b and _cell_length_c in ångström.',
    ],
    [
      'a CIF without atoms',
      analyze(CIF.split('loop_')[0] as string),
      42235,
      'A CIF needs _atom_site_label and _atom_site_fract_x, _y, _z.',
    ],
    [
      'a CIF with a group that is none',
      analyze(CIF.replace('P 1', 'P 99')),
      42233,
      'List the operators under _space_group_symop_operation_xyz.',
    ],
    [
      'a CIF without its group',
      analyze(CIF.replace("_symmetry_space_group_name_H-M 'P 1'\n", '')),
      'no-symmetry',
      'The file says nothing about symmetry: only the listed atoms are taken.',
    ],
    [
      'a CIF with more than one atom on a site',
      analyze(
        CIF.replace('fract_z\n', 'fract_z\n_atom_site_occupancy\n')
          .replace('0 0 0', '0 0 0 1.5')
          .replace('0.25\n', '0.25 1\n'),
      ),
      42225,
      'An occupancy is between 0 and 1.',
    ],
    [
      'a CIF with a value too few',
      analyze(CIF.replace('0.25 0.25 0.25', '0.25 0.25')),
      42232,
      'Every atom needs one value per column; values with spaces need quotes.',
    ],
    [
      'a CIF with a question mark',
      analyze(CIF.replace('0.25 0.25 0.25', '0.25 ? 0.25')),
      'atom-without-place',
      'Si2 has no coordinates and is left out.',
    ],
    [
      'a CIF of COD that was not found',
      analyze('<!DOCTYPE html><html><body>404 Not Found</body></html>'),
      42226,
      'looks like an HTML page.',
    ],
    [
      'an XYZ without a cell',
      analyze('2\nwater\nO 0 0 0\nH 0.9 0 0\n', { format: 'xyz' }),
      'no-lattice',
      'The file gives no lattice: the structure is taken as a molecule in a box.',
    ],
    [
      'an XYZ with a wrong count',
      analyze(XYZ.replace('2\n', '3\n')),
      42232,
      'The first line gives the number of atoms that follow.',
    ],
    [
      'an XYZ with charges',
      analyze(
        XYZ.replace('pos:R:3', 'pos:R:3:initial_charges:R:1')
          .replace('0 0 0\nSi', '0 0 0 1\nSi')
          .replace('1.3 1.3 1.3', '1.3 1.3 1.3 -1'),
      ),
      'left-out',
      'Left out: initial_charges (2).',
    ],
    ['a trajectory of two frames', analyze(XYZ + XYZ), 'several-structures', 'Frame -1 is the last.'],
    ['a frame that there is not', analyze(XYZ, { frame: 5 }), 42235, 'Leave the frame out.'],
    [
      'a PDB of a protein without a cell',
      analyze('ATOM      1  N   ALA A   1      11.104   6.134  -6.504  1.00  0.00           N\nEND\n'),
      'no-lattice',
      'The file gives no cell: the structure is taken as a molecule in a box.',
    ],
    [
      'an input of Quantum ESPRESSO without a cell',
      analyze(
        '&SYSTEM\n ibrav=0, nat=2, ntyp=1\n/\nATOMIC_SPECIES\nSi 28.08 Si.upf\nATOMIC_POSITIONS crystal\nSi 0 0 0\nSi 0.25 0.25 0.25\n',
      ),
      42231,
      'ibrav = 0 needs the card CELL_PARAMETERS.',
    ],
    [
      'an input of Quantum ESPRESSO with ibrav that is none',
      analyze(
        '&SYSTEM\n ibrav=99, celldm(1)=10.2, nat=1, ntyp=1\n/\nATOMIC_SPECIES\nSi 28.08 Si.upf\nATOMIC_POSITIONS crystal\nSi 0 0 0\n',
      ),
      42225,
      'Use 0 with CELL_PARAMETERS, or one of 1 to 14, -3, -5, -9, 91, -12, -13.',
    ],
    [
      'a molecule of pymatgen',
      analyze({
        '@module': 'pymatgen.core.structure',
        '@class': 'Molecule',
        sites: [{ species: [{ element: 'O', occu: 1 }], xyz: [0, 0, 0] }],
      }),
      'no-lattice',
      'There is no lattice: the molecule is put in a box.',
    ],
    [
      'a structure of pymatgen with more than one atom on a site',
      analyze({
        '@module': 'pymatgen.core.structure',
        '@class': 'Structure',
        lattice: {
          matrix: [
            [3, 0, 0],
            [0, 3, 0],
            [0, 0, 3],
          ],
        },
        sites: [
          {
            species: [
              { element: 'Fe', occu: 0.7 },
              { element: 'Co', occu: 0.5 },
            ],
            abc: [0, 0, 0],
          },
        ],
      }),
      42229,
      'The shares of one site add up to 1 at most.',
    ],
    ['nothing', analyze(''), 40039, 'The field "content" of the body has to be the text of a structure file.'],
    [
      'nothing but spaces',
      analyze('   \n'),
      40039,
      'The field "content" of the body has to be the text of a structure file.',
    ],
    ['a SMILES', analyze('CCO'), 42226, 'Name its format, one of nomad, optimade, jarvis, pymatgen, ase, material,'],
    ['JSON that is no structure', analyze({ hello: 'world' }), 42226, 'It has the fields hello.'],
    ['a number', analyze(5), 40039, 'The field "content" of the body has to be the text of a structure file.'],
    [
      'a CIF called a POSCAR',
      analyze(CIF, { format: 'poscar' }),
      42225,
      'Line 3: A lattice vector needs three numbers, "_cell_length_b 3.867" has fewer.',
    ],
    ['a format that is none', analyze(CIF, { format: 'mol2' }), 42226, `Known formats: ${formatNames()}.`],
    ['a format in its name of files', analyze(CIF, { format: '.cif' }), 42226, `Known formats: ${formatNames()}.`],
  ]),
  mistakesOf('who converts and stores files', [
    ['all as CSV', get('materials/export?format=CSV'), 40034, 'Write format=csv.'],
    ['all as jsonl', get('materials/export?format=jsonl'), 40034, 'Leave format out: records are NDJSON without it.'],
    ['to nothing', convert(CIF), 40039, 'The field "to" of the body has to be the name of a format.'],
    [
      'to a format that is none',
      convert(CIF, { to: 'pdf' }),
      42226,
      'Formats that are written: optimade, pymatgen, ase, material,',
    ],
    [
      'to a format that is only read',
      convert(CIF, { to: 'pdb' }),
      42226,
      'Formats that are written: optimade, pymatgen, ase, material,',
    ],
    [
      'by other names of fields',
      post('structures/convert', { input: CIF, output: 'poscar' }),
      40038,
      'The fields are name, content, format, frame, to, symmetry, tolerance, ordered, maxAtoms, seed.',
    ],
    ['the file as it is, as text', post('structures/analyze', CIF), 41501, 'Send application/json.'],
    [
      'the file as a form',
      post('structures/analyze', undefined, form({ 'si.cif': CIF })),
      41501,
      'Send application/json.',
    ],
    [
      'a record by its id',
      post('structures/analyze', { id: '{mine}' }),
      40038,
      'The fields are name, content, format, frame, cell, tolerance, basis.',
    ],
    [
      'with tags as a text',
      store(POSCAR, { tags: 'a, b' }),
      40039,
      'The field "tags" of the body has to be a list of texts.',
    ],
    ['with tag', store(POSCAR, { tag: ['a'] }), 40038, 'Did you mean tags?'],
    [
      'with a name that is no text',
      store(POSCAR, { name: 5 }),
      40039,
      'The field "name" of the body has to be a text, or absent.',
    ],
    [
      'with a frame as a text',
      store(XYZ, { frame: '0' }),
      40039,
      'The field "frame" of the body has to be a whole number, counted from 0, or',
    ],
    ['with all frames at once', store(XYZ, { frame: 'all' }), 40039, 'POST /materials/import as a form stores all'],
    [
      'for an account that is not theirs',
      store(POSCAR, { 'owner._id': 'nobody' }),
      40302,
      'You are not a member of the account "nobody".',
    ],
    [
      'by the URL of a file',
      post('materials/import', { url: 'https://example.org/si.cif' }),
      40038,
      'The fields are name, content, format, frame, owner._id, tags, isPublic.',
    ],
    [
      'by an id of the Materials Project',
      post('materials/import', { material_id: 'mp-149' }),
      40038,
      'The fields are name, content, format, frame, owner._id, tags, isPublic.',
    ],
    ['as raw text', post('materials/import', POSCAR), 41501, 'Send application/json or multipart/form-data.'],
    [
      'as a raw CIF',
      post('materials/import', CIF, { headers: { 'content-type': 'chemical/x-cif' } }),
      41501,
      'Send application/json or multipart/form-data.',
    ],
    [
      'as a form without files',
      post('materials/import', undefined, form({}, { format: 'cif' })),
      40039,
      'The form has no file.',
    ],
    [
      'as a form with a field that is none',
      post('materials/import', undefined, form({ 'si.cif': CIF }, { owner: 'ada' })),
      40038,
      'The form has the field "owner", which is not read here.',
    ],
    [
      'as a form with one that cannot be read',
      post('materials/import', undefined, form({ 'notes.txt': 'Dear all' })),
      42226,
      'Name its format, one of nomad, optimade, jarvis, pymatgen, ase, material,',
    ],
    [
      'as a form with a spreadsheet',
      post('materials/import', undefined, form({ 'data.csv': 'name,a\nSi,5.43' })),
      42226,
      'Name its format, one of nomad, optimade, jarvis, pymatgen, ase, material,',
    ],
    [
      'as a zip that is none',
      post('materials/import', undefined, form({ 'all.zip': CIF })),
      42202,
      'Either not a zip file, or file is truncated..',
    ],
    [
      'as a form without its boundary',
      post('materials/import', 'x', { headers: { 'content-type': 'multipart/form-data' } }),
      40036,
      'The body is no multipart/form-data as its Content-Type says: a',
    ],
    [
      'as a form with the wrong boundary',
      post('materials/import', undefined, {
        ...form({ 'si.cif': CIF }),
        headers: { 'content-type': 'multipart/form-data; boundary=other' },
      }),
      40036,
      'The body is no multipart/form-data as its Content-Type says: a',
    ],
    [
      'as a form that is urlencoded',
      post('materials/import', 'content=Si', { headers: { 'content-type': 'application/x-www-form-urlencoded' } }),
      41501,
      'Send application/json or multipart/form-data.',
    ],
  ]),
  mistakesOf('who takes structures out', [
    [
      'in a format that is none',
      get('materials/{mine}/export?format=pdf'),
      42226,
      'Formats that are written: optimade, pymatgen, ase, material,',
    ],
    [
      'in a format that is only read',
      get('materials/{mine}/export?format=pdb'),
      42226,
      'Formats that are written: optimade, pymatgen, ase, material,',
    ],
    [
      'by Accept of something else',
      get('materials/{mine}/export', { accept: 'application/pdf' }),
      40601,
      'No structure format has a media type that Accept names.',
    ],
    [
      'by another name of the parameter',
      get('materials/{mine}/export?to=cif'),
      40032,
      'The nearest that this address takes are',
    ],
    ['of a set', get('materials/{set}/export?format=cif'), 42225, 'lattice is missing; it must be an object.'],
    ['of a method', get('methods/{method}/export?format=cif'), 40401, 'Records are at /api/2018-10-01/materials;'],
    ['with the ending', get('materials/{mine}.cif'), 40410, '.cif" among those that you can see.'],
    [
      'all, with a query that misspells',
      get('materials/export?query={"fromula":"Si"}'),
      20001,
      'Did you mean "formula"?',
    ],
    [
      'all, in an archive of another kind',
      get('materials/export?format=cif&archive=tar'),
      40032,
      'The nearest that this address takes are',
    ],
    [
      'all, in CSV',
      get('materials/export?format=csv'),
      40034,
      'The parameter "columns" takes the paths of 1 to 200 fields with commas between them',
    ],
    [
      'all, compressed in words',
      get('materials/export?gzip=yes'),
      40034,
      'The parameter "gzip" takes true, or no value; not "yes".',
    ],
    [
      'all, by POST',
      post('materials/export', { query: {} }),
      40501,
      'POST does not exist at /api/2018-10-01/materials/export; there are',
    ],
    [
      'all, without those fields that a file needs',
      get('materials/export?format=cif&projection={"fields":{"name":1}}'),
      40034,
      'Leave them out, or leave format and files out for the records with these fields.',
    ],
    ['all, sorted by nothing', get('materials/export?sort=nmae'), 20001, 'Did you mean "name"?'],
  ]),
]
