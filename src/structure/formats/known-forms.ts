import { type Remedied, remedied } from '../../page/remedies.ts'

/** A form of files that is known and not read as a structure. */
export interface KnownForm {
  /** What a file of it is, with its article. */
  readonly title: string
  /** First characters, one of these; bytes that are no UTF-8 are read as Latin-1. */
  readonly starts?: readonly string[]
  /** Asked of the first 64 KiB; takes time in proportion to them. */
  readonly has?: RegExp
  /** How its sender comes on. */
  readonly advice: string | Remedied
  /** Whether a reader would take a file of it for one of its own: then this is asked first. */
  readonly isMistaken?: true
}

const UNPACK = remedied('unpack')
const RUN_OF_VASP = remedied('importRun', { alone: 'the CONTCAR of the same run' })
const RUN_OF_PW = remedied('importRun', { alone: 'the input of pw.x; after a relaxation, with the last positions' })
const WITH_ASE = 'ASE reads it: ase.io.write("out.extxyz", ase.io.read(FILE)) makes a file that is read here.'
const WITH_BABEL = 'Open Babel makes an XYZ or CIF of it: obabel FILE -O out.xyz.'
const NEEDS_STRUCTURE = 'Send the structure that goes with it.'
const NO_STRUCTURE = 'It holds no structure.'

/** Forms by their contents, those that tell most first. Whoever adds a reader takes its row away. */
const KNOWN_FORMS: readonly KnownForm[] = [
  { title: 'a Git LFS pointer', starts: ['version https://git-lfs'], advice: 'Fetch the file itself: git lfs pull.' },
  {
    title: 'an archive of AiiDA',
    starts: ['PK\x03\x04'],
    has: /db\.sqlite3|metadata\.jsonPK|repo\/[0-9a-f]{2}/,
    advice: remedied('importRun', { alone: 'what `verdi data core.structure export` writes' }),
    isMistaken: true,
  },
  {
    title: 'a spreadsheet or an office document',
    starts: ['PK\x03\x04'],
    has: /\[Content_Types\]\.xml|mimetypeapplication\/vnd\.oasis/,
    advice: NO_STRUCTURE,
    isMistaken: true,
  },
  { title: 'a zip archive', starts: ['PK\x03\x04', 'PK\x05\x06'], advice: UNPACK, isMistaken: true },
  { title: 'a file packed by gzip', starts: ['\x1f\x8b'], advice: UNPACK, isMistaken: true },
  {
    title: 'a file packed by bzip2',
    starts: ['BZh9', 'BZh6', 'BZh1'],
    advice: 'Unpack it: bunzip2.',
    isMistaken: true,
  },
  { title: 'a file packed by xz', starts: ['\xfd7zXZ'], advice: 'Unpack it: unxz.', isMistaken: true },
  { title: 'a 7z archive', starts: ['7z\xbc\xaf'], advice: 'Unpack it.', isMistaken: true },
  { title: 'a tar archive', has: /^[^\0]{1,100}\0[\s\S]{156,256}ustar/, advice: UNPACK, isMistaken: true },
  {
    title: 'an HDF5 file',
    starts: ['\x89HDF'],
    advice: 'Write its structures as extended XYZ or CIF with the program that made it.',
    isMistaken: true,
  },
  { title: 'a NetCDF file', starts: ['CDF\x01', 'CDF\x02'], advice: WITH_ASE, isMistaken: true },
  {
    title: 'a database of ASE',
    starts: ['SQLite format 3'],
    has: /CREATE TABLE systems\b/i,
    advice: remedied('importRun', { alone: 'the JSON that `ase db FILE.db --insert-into out.json` writes' }),
    isMistaken: true,
  },
  { title: 'an SQLite database', starts: ['SQLite format 3'], advice: NO_STRUCTURE, isMistaken: true },
  { title: 'a NumPy array', starts: ['\x93NUMPY'], advice: NEEDS_STRUCTURE, isMistaken: true },
  { title: 'a PDF document', starts: ['%PDF-'], advice: NO_STRUCTURE, isMistaken: true },
  {
    title: 'an image',
    starts: ['\x89PNG', '\xff\xd8\xff', 'GIF8', 'II*\0', 'MM\0*'],
    advice: NO_STRUCTURE,
    isMistaken: true,
  },
  { title: 'an office document', starts: ['\xd0\xcf\x11\xe0', '{\\rtf'], advice: NO_STRUCTURE, isMistaken: true },
  {
    title: 'a DCD trajectory',
    has: /^[\s\S]{4,8}CORD/,
    advice: 'Write its frames as extended XYZ, with the topology that goes with it.',
    isMistaken: true,
  },
  {
    title: 'a BinaryCIF file',
    has: /dataBlocks[\s\S]{0,200}categories/,
    advice: 'Download the file as mmCIF.',
    isMistaken: true,
  },
  {
    title: 'an HTML page',
    has: /^\s*(?:<!doctype html|<html)/i,
    advice: 'It may be the page of a failed download: look at it in a browser.',
    isMistaken: true,
  },
  { title: 'a vasprun.xml of VASP', has: /<modeling>/, advice: RUN_OF_VASP },
  { title: 'an XML output of Quantum ESPRESSO', has: /<qes:espresso|<espresso\b/, advice: RUN_OF_PW },
  { title: 'an input of exciting', has: /<structure\b[^>]{0,500}speciespath/, advice: WITH_ASE },
  { title: 'a pseudopotential (UPF)', has: /<UPF version|<PP_HEADER/, advice: NO_STRUCTURE },
  { title: 'a Chemical Markup Language (CML) file', has: /xml-cml\.org|<cml\b/, advice: WITH_BABEL },
  { title: 'a Materials Studio (XSD) file', has: /<XSD\b/, advice: 'Export it as CIF.' },
  { title: 'an XML file', has: /^\s*<\?xml/, advice: 'Export the structure as CIF.' },
  {
    title: 'a DL_POLY CONFIG',
    has: /^[^\n]*\n[ \t]*[012](?:[ \t]+\d+){1,2}[^\n]*\n(?:[ \t]*[-+.\dEe]+[ \t]+[-+.\dEe]+[ \t]+[-+.\dEe]+[ \t]*\n){3}[ \t]*[A-Za-z]\S*[ \t]+\d+[^\n]*\n[ \t]*[-+.\dEe]+[ \t]/,
    advice: WITH_ASE,
    isMistaken: true,
  },
  {
    title: 'a GPUMD xyz.in',
    has: /^[ \t]*\d+[ \t]+\d+[ \t]+[\d.]+(?:[ \t]+\d+){3}[ \t]*\n[ \t]*[01][ \t]+[01][ \t]+[01][ \t]+[\d.]/,
    advice: 'Newer versions of GPUMD take extended XYZ (model.xyz), which is read here.',
    isMistaken: true,
  },
  {
    title: 'a FORCE_SETS of phonopy',
    has: /^[ \t]*\d+[ \t]*\n[ \t]*\d+[ \t]*\n[ \t]*\n?[ \t]*\d+[ \t]*\n[ \t]*[-.\d]+[ \t]+[-.\d]+[ \t]+[-.\d]+[ \t]*\n/,
    advice: NEEDS_STRUCTURE,
    isMistaken: true,
  },
  { title: 'a POTCAR of VASP', has: /^[ \t]*(?:VRHFIN[ \t]*=|TITEL[ \t]*=)/m, advice: 'Send the POSCAR or CONTCAR.' },
  { title: 'an OUTCAR of VASP', has: /^[ \t]*vasp\.\d/m, advice: RUN_OF_VASP },
  { title: 'an OSZICAR of VASP', has: /^[ \t]*\d+[ \t]+F=[^\n]*E0=/m, advice: RUN_OF_VASP },
  {
    title: 'an INCAR of VASP',
    has: /^[ \t]*(?:ENCUT|ISMEAR|EDIFF|IBRION|LREAL|LWAVE|ISIF)[ \t]*=/im,
    advice: 'Send the POSCAR or CONTCAR.',
  },
  {
    title: 'a KPOINTS of VASP',
    has: /^[^\n]*\n[ \t]*\d+[^\n]*\n[ \t]*(?:gamma|monkhorst|m-p|g|m|line|l|automatic|a|rec\w*|cart\w*)\b[^\n]*\n[ \t]*[-+.\d]/i,
    advice: 'Send the POSCAR or CONTCAR.',
  },
  { title: 'an output of pw.x', has: /^[ \t]*Program PWSCF v\.?\d/m, advice: RUN_OF_PW },
  {
    title: 'an output of Quantum ESPRESSO',
    has: /^[ \t]*Program [A-Z]+ v\.?\d/m,
    advice: 'Send the input of pw.x of the same calculation.',
  },
  {
    title: 'an input of another program of Quantum ESPRESSO',
    has: /^[ \t]*&(?:inputph|inputpp|dos|projwfc|bands|plot|neb)\b/im,
    advice: 'Send the input of pw.x.',
  },
  {
    title: 'an input of LAMMPS',
    has: /^[ \t]*(?:pair_style|atom_style|read_data)[ \t]+\S/m,
    advice: 'Send the data file as extended XYZ.',
  },
  { title: 'an output of CASTEP', has: /CASTEP version \d/, advice: 'Send the structure as CIF.' },
  {
    title: 'an input of Octopus',
    has: /^[ \t]*%(?:LatticeVectors|LatticeParameters|ReducedCoordinates|Coordinates)\b/im,
    advice: WITH_ASE,
  },
  { title: 'an output of FHI-aims', has: /Invoking FHI-aims/, advice: WITH_ASE },
  { title: 'an input of CRYSTAL', has: /^[^\n]*\n[ \t]*(?:CRYSTAL|SLAB|POLYMER)[ \t]*\n[ \t]*\d/, advice: WITH_ASE },
  {
    title: 'a part of an input of CP2K',
    has: /^[ \t]*&(?:GLOBAL|DFT|MOTION|COORD|KIND)\b/im,
    advice: 'Send the whole input: the structure is read from &CELL and &COORD in &FORCE_EVAL, &SUBSYS.',
  },
  {
    title: 'an output of ABINIT',
    has: /^[ \t]*\.Version[ \t]+\S+[ \t]+of ABINIT|\*\*\*\* DERIVATIVE DATABASE \*\*\*\*/im,
    advice: 'Send the input, with the last xred, acell and rprim of the output where it is a relaxation.',
    isMistaken: true,
  },
  { title: 'a WIEN2k .struct file', has: /LATTICE,NONEQUIV|MODE OF CALC=/, advice: WITH_ASE },
  {
    title: 'an input of DFTB+',
    has: /^[ \t]*Geometry[ \t]*=[ \t]*\w*(?:Gen|Xyz|Vasp)Format/im,
    advice: 'Send its geometry.',
  },
  {
    title: 'a YAML file of phonopy without a cell',
    has: /^(?:phono(?:py|3py)|mesh|nqpoint|displacements|natom):/m,
    advice: 'Send the phonopy.yaml or phonopy_disp.yaml of the same run, which has the unit cell.',
  },
  { title: 'an MDL molfile or SDF', has: /\bV[23]000[ \t]*$/m, advice: WITH_BABEL },
  { title: 'a Tripos mol2 file', has: /^@<TRIPOS>/m, advice: WITH_BABEL },
  {
    title: 'an InChI',
    has: /^\s{0,10}InChI=/,
    advice: 'It has no places of atoms: make some with Open Babel (--gen3d).',
  },
  {
    title: 'an input of Gaussian',
    has: /^[ \t]*#[pnt]?[ \t]*\w+[^\n]*\n[ \t]*\n[^\n]+\n[ \t]*\n[ \t]*-?\d+[ \t]+\d+[ \t]*\n/im,
    advice: WITH_BABEL,
  },
  { title: 'an output of Gaussian', has: /Entering Gaussian System|Gaussian, Inc\./, advice: WITH_BABEL },
  { title: 'an output of ORCA', has: /\* O {3}R {3}C {3}A \*/, advice: 'Send the .xyz that ORCA writes beside it.' },
  {
    title: 'an input of ORCA',
    has: /^[ \t]*\*[ \t]*(?:xyz|int|gzmt)(?:file)?[ \t]+-?\d+[ \t]+\d+/im,
    advice: 'Send its coordinates as XYZ.',
  },
  { title: 'an input of NWChem', has: /^[ \t]*task[ \t]+(?:scf|dft|mp2|ccsd|pspw|band)\b/im, advice: WITH_ASE },
  {
    title: 'a GROMACS .gro file',
    has: /^[^\n]*\n[ \t]*\d+[ \t]*\n[ \t]*\d+[A-Z]\w*[ \t]+\w+[ \t]+\d+[ \t]+-?\d+\.\d/,
    advice: WITH_ASE,
  },
  { title: 'an archive of BIOSYM (.car, .arc)', has: /^!BIOSYM archive/, advice: 'Export it as CIF.' },
  { title: 'an Amber topology', has: /^%VERSION/, advice: NEEDS_STRUCTURE },
  {
    title: 'a CSSR file',
    has: /^[^\n]*\n[^\n]*\bSPGR[ \t]*=/,
    advice: 'Convert it to CIF: zeo++ writes one (network -cif).',
  },
  { title: 'an XTL file', has: /^TITLE[^\n]*\n(?:DIMENSION[^\n]*\n)?CELL[ \t]*\n/m, advice: 'Convert it to CIF.' },
  {
    title: 'a DL_POLY FIELD',
    has: /^[ \t]*molecul(?:es|ar types)[ \t]+\d+/im,
    advice: 'Send the CONFIG as extended XYZ.',
  },
  {
    title: 'a structure of ATAT',
    has: /^(?:[ \t]*[-.\d]+[ \t]+[-.\d]+[ \t]+[-.\d]+(?:[ \t]+[-.\d]+[ \t]+[-.\d]+[ \t]+[-.\d]+)?[ \t]*\n){4,8}[ \t]*[-.\d]+[ \t]+[-.\d]+[ \t]+[-.\d]+[ \t]+[A-Z]/,
    advice: 'Write it as POSCAR: str2poscar.',
    isMistaken: true,
  },
  {
    title: 'a Python script',
    has: /^(?:import|from)[ \t]+\w+[^\n]*$/m,
    advice: 'Let it write the structure as extended XYZ or CIF.',
  },
  {
    title: 'a SMILES text',
    has: /^(?=[^\s]{0,200}[(=#[])[\w@+\-[\]()=#$\\/%.]{3,200}(?:[ \t][^\n]{0,100})?\s{0,10}$/,
    advice: 'It has no places of atoms: make some with Open Babel (--gen3d).',
  },
  {
    title: 'a table of values (CSV)',
    has: /^[^\n,;]{0,200}[,;][^\n]*\n[^\n,;]{0,200}[,;][^\n]*\n/,
    advice: 'Structures are files of their own, one or several in a file.',
  },
]

/** Characters by which a form is told. */
const HEAD = 64 * 1024

/** What a text is, of the forms that are known and not read; nothing where it is none of them. */
export function formOf(text: string): KnownForm | undefined {
  const head = text.slice(0, HEAD)
  return KNOWN_FORMS.find(
    ({ starts, has }) =>
      (starts === undefined || starts.some((start) => head.startsWith(start))) && (has?.test(head) ?? true),
  )
}

/** The titles of all forms. */
export const KNOWN_TITLES: readonly string[] = KNOWN_FORMS.map(({ title }) => title)
