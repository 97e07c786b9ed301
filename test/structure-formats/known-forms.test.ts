import { describe, expect, it } from 'vitest'
import { detectOutput } from '../../src/calculations/formats/output-formats.ts'
import { AppError } from '../../src/kernel/errors.ts'
import { inWordsOf } from '../../src/page/remedies.ts'
import { decodeText } from '../../src/structure/formats/common/text-pieces.ts'
import { KNOWN_TITLES } from '../../src/structure/formats/known-forms.ts'
import { readStructure } from '../../src/structure/formats/read-structure.ts'

const CELL = '4 0 0\n0 4 0\n0 0 4\n'

/** The beginning of a file of each form. */
const SAMPLES: Readonly<Record<string, string>> = {
  'a Git LFS pointer': 'version https://git-lfs.github.com/spec/v1\noid sha256:4d7a\nsize 12345\n',
  'an archive of AiiDA': 'PK\x03\x04\x14\0\0\0db.sqlite3SQLite format 3',
  'a spreadsheet or an office document': 'PK\x03\x04\x14\0\0\0[Content_Types].xml',
  'a zip archive': 'PK\x03\x04\x14\0\0\0si.cif',
  'a file packed by gzip': '\x1f\x8b\x08\0',
  'a file packed by bzip2': 'BZh91AY&SY',
  'a file packed by xz': '\xfd7zXZ\0',
  'a 7z archive': '7z\xbc\xaf\x27\x1c',
  'a tar archive': `si.cif${'\0'.repeat(251)}ustar  \0`,
  'an HDF5 file': '\x89HDF\r\n\x1a\n',
  'a NetCDF file': 'CDF\x01\0\0',
  'a database of ASE': `SQLite format 3\0${'\0'.repeat(80)}CREATE TABLE systems (id INTEGER PRIMARY KEY)`,
  'an SQLite database': 'SQLite format 3\0CREATE TABLE places (id INTEGER PRIMARY KEY)',
  'a NumPy array': '\x93NUMPY\x01\0',
  'a PDF document': '%PDF-1.7\n',
  'an image': '\x89PNG\r\n',
  'an office document': '\xd0\xcf\x11\xe0\xa1',
  'a DCD trajectory': 'T\0\0\0CORD\0\0',
  'a BinaryCIF file': '\x83\xaadataBlocks\x91\x83\xa6header\xaacategories',
  'an HTML page': '<!DOCTYPE html>\n<html><body>404</body></html>',
  'a vasprun.xml of VASP': '<?xml version="1.0"?>\n<modeling>\n <generator>\n',
  'an XML output of Quantum ESPRESSO': '<?xml version="1.0"?>\n<qes:espresso xmlns:qes="x">\n',
  'an input of exciting': '<input>\n <structure speciespath="./">\n',
  'a pseudopotential (UPF)': '<UPF version="2.0.1">\n',
  'a Chemical Markup Language (CML) file': '<?xml version="1.0"?>\n<molecule xmlns="http://www.xml-cml.org/schema">\n',
  'a Materials Studio (XSD) file': '<?xml version="1.0"?>\n<XSD Version="6.0">\n',
  'an XML file': '<?xml version="1.0"?>\n<foo/>\n',
  'a DL_POLY CONFIG': `NaCl\n 0 3 2\n${CELL}Na+ 1\n 0.0 0.0 0.0\n`,
  'a GPUMD xyz.in': `2 4 1.1 0 0 0\n1 1 1 4 4 4\n0 0 0 0 28\n`,
  'a FORCE_SETS of phonopy': '8\n2\n\n1\n 0.01 0.0 0.0\n -0.1 0 0\n',
  'a POTCAR of VASP': '  PAW_PBE Si\n 4.0\n parameters from PSCTR are:\n   VRHFIN =Si: s2p2\n',
  'an OUTCAR of VASP': ' vasp.5.4.4.18Apr17 (build May 2018) complex\n',
  'an OSZICAR of VASP':
    'DAV:   1    -0.107E+02   -0.107E+02   -0.1E+02   184   0.1E+02\n   1 F= -.43E+02 E0= -.43E+02  d E =-.4E-02\n',
  'an INCAR of VASP': 'SYSTEM = Si\nENCUT = 520\nISMEAR = 0\n',
  'a KPOINTS of VASP': 'k-points\n0\nGamma\n4 4 4\n0 0 0\n',
  'an output of pw.x': '\n     Program PWSCF v.6.4.1 starts on 1Jan2020\n',
  'an output of Quantum ESPRESSO': '\n     Program PHONON v.6.4.1 starts on 1Jan2020\n',
  'an input of another program of Quantum ESPRESSO': '&inputph\n tr2_ph=1e-14\n/\n',
  'an input of LAMMPS': 'units metal\natom_style atomic\n',
  'an output of CASTEP': ' | Welcome to Academic Release CASTEP version 19.11 |\n',
  'an input of Octopus': '%LatticeParameters\n a | a | a\n%\n',
  'an output of FHI-aims': '------\n          Invoking FHI-aims ...\n',
  'an input of CRYSTAL': 'Silicon\nCRYSTAL\n0 0 0\n227\n5.43\n',
  'a part of an input of CP2K': '&GLOBAL\n PROJECT si\n&END GLOBAL\n',
  'an output of ABINIT': '\n.Version 9.10.3 of ABINIT\n acell 3*10.2 Bohr\n ntypat 1\n znucl 14\n',
  'a WIEN2k .struct file': 'Si\nF   LATTICE,NONEQUIV.ATOMS:  1 227 Fd-3m\nMODE OF CALC=RELA unit=ang\n',
  'an input of DFTB+': 'Geometry = GenFormat {\n',
  'a YAML file of phonopy without a cell': 'mesh: [ 8, 8, 8 ]\nnqpoint: 60\nnatom: 1\nlattice:\n- [ 0.0, 3.8, 3.8 ]\n',
  'an MDL molfile or SDF': 'water\n  RDKit\n\n  3  2  0  0  0  0  0  0  0  0999 V2000\n',
  'a Tripos mol2 file': '@<TRIPOS>MOLECULE\nwater\n',
  'an InChI': 'InChI=1S/H2O/h1H2\n',
  'an input of Gaussian': '%chk=a.chk\n#p b3lyp/6-31g opt\n\nwater\n\n0 1\nO 0 0 0\n',
  'an output of Gaussian': ' Entering Gaussian System, Link 0=g16\n',
  'an output of ORCA': '                 * O   R   C   A *\n',
  'an input of ORCA': '! B3LYP def2-SVP\n* xyz 0 1\nO 0 0 0\n*\n',
  'an input of NWChem': 'start water\ngeometry\n O 0 0 0\nend\ntask dft optimize\n',
  'a GROMACS .gro file': 'water\n 3\n    1SOL     OW    1   0.126   1.624   1.679\n',
  'an archive of BIOSYM (.car, .arc)': '!BIOSYM archive 3\nPBC=ON\n',
  'an Amber topology': '%VERSION  VERSION_STAMP = V0001.000\n%FLAG TITLE\n',
  'a CSSR file': ' 4.0 4.0 4.0\n 90 90 90 SPGR = 1 P 1\n 2 0\n',
  'an XTL file': 'TITLE si\nCELL\n4 4 4 90 90 90\nSYMMETRY NUMBER 1\n',
  'a DL_POLY FIELD': 'NaCl\nunits eV\nmolecules 1\nNa\n',
  'a structure of ATAT': '1 1 1 90 90 90\n0.5 0.5 0\n0 0.5 0.5\n0.5 0 0.5\n0 0 0 Al\n',
  'a Python script': 'from ase import Atoms\natoms = Atoms()\n',
  'a SMILES text': 'CC(=O)Oc1ccccc1C(=O)O\n',
  'a table of values (CSV)': 'formula,gap\nSi,1.1\nGe,0.7\n',
}

function reasonOf(read: () => unknown): AppError {
  try {
    read()
  } catch (error) {
    if (error instanceof AppError) return error
  }
  throw new Error('nothing was refused')
}

describe('a file of a form that is not read', () => {
  it('has an example of each', () => {
    expect(Object.keys(SAMPLES)).toEqual(KNOWN_TITLES)
  })

  it.each(Object.entries(SAMPLES))('is told by its content, whatever its name: %s', (title, text) => {
    for (const fileName of [undefined, 'a.in', 'POSCAR', 'a.xyz', 'a.cif', 'a.json', 'a.pdb']) {
      expect(() => readStructure(text, { fileName })).toThrow(
        expect.objectContaining({ code: 42226, message: expect.stringMatching(/(?:looks like|it looks like) /) }),
      )
      expect(() => readStructure(text, { fileName })).toThrow(title)
    }
  })

  const names = (title: string) => (title === 'an archive of AiiDA' ? 'a.aiida' : 'a')
  it.each(Object.entries(SAMPLES))('is called a calculation where it is read as one: %s', (title, text) => {
    const isRead = detectOutput(names(title), text) !== null || names(title).endsWith('.aiida')
    const refused = reasonOf(() => readStructure(text))
    const said = (['api', 'cli', 'page'] as const).map((door) => inWordsOf(door, refused).message)
    const words = [/POST \/jobs\/import reads/, /`quarry import` reads/, /“Import” reads/]
    expect(said.map((message, at) => words[at]?.test(message))).toEqual([isRead, isRead, isRead])
  })

  it('is told where a format was named that it is not, and by its bytes', () => {
    expect(() => readStructure(SAMPLES['an input of Octopus'] ?? '', { format: 'espresso' })).toThrow(
      'The file is no Quantum ESPRESSO pw.x input: it looks like an input of Octopus. ASE reads it',
    )
    expect(() => readStructure(decodeText(Buffer.from([0x1f, 0x8b, 8, 0, 0xff])), { format: 'espresso' })).toThrow(
      'packed by gzip',
    )
  })

  it.each(['\n', ' ', '1 ', '4 0 0\n', 'a', 'a\n', '#\n', '<', 'x,y\n', '*\n', '%', 'C(', '\0', 'ITEM ', '. '])(
    'is told in a time that goes with the text: of %j alone',
    (part) => {
      expect(() => readStructure(part.repeat(300_000 / part.length))).toThrow(
        expect.objectContaining({ name: 'AppError' }),
      )
    },
  )
})

describe('JSON that is none of the known ones', () => {
  it('is called so, with its fields', () => {
    expect(() => readStructure('{"foo": 1, "bar": {"baz": []}}', { fileName: 'a.json' })).toThrow(
      'This JSON holds no structure that is known. It has the fields foo, bar, baz. JSON that is read: materials,',
    )
  })

  it('is a material where it has a basis or a lattice, and is told what it lacks', () => {
    expect(() => readStructure('{"basis": {}}', { fileName: 'a.json' })).toThrow('lattice is missing')
  })
})
