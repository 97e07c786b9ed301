import { dirname, relative } from 'node:path'
import { isSaveFolder } from '../../page/save-folder.ts'
import { OUTPUT_FORMATS } from '../formats/output-formats.ts'

/** An output among files, with the name of its format. */
export interface FoundOutput {
  readonly name: string
  readonly format: string
}

/** A calculation by the files that tell of it: its outputs, the one that says most first, and all that lies beside them. */
export interface Run {
  readonly outputs: readonly FoundOutput[]
  readonly files: readonly string[]
}

/** Outputs that one run of VASP writes, each beside the others. */
const OF_VASP = ['vasprun', 'outcar', 'oszicar']
/** What pw.x prints, and what it writes into a folder of its own. */
const OF_PW = ['espresso-output', 'espresso-xml']
/** Outputs that are of many calculations, as rows and records: what lies beside them is of its own. */
const OF_MANY = [
  'extended-xyz',
  'ase-json',
  'ase-database',
  'materials-project',
  'jarvis',
  'pymatgen-entries',
  'optimade',
]

/** Puts the outputs of one folder, and of the folders of pw.x below it, together to runs. Files that are no output belong to the only run, and else to what is named alike. */
export function runsOfFiles(outputs: readonly FoundOutput[], files: readonly string[]): readonly Run[] {
  const groups = new Map<string, FoundOutput[]>()
  for (const output of outputs) {
    const key = groupOf(output, outputs)
    groups.set(key, [...(groups.get(key) ?? []), output])
  }
  const names = new Set(outputs.map(({ name }) => name))
  const beside = files.filter((name) => !names.has(name) && !isLicensed(name))
  const isAlone = groups.size === 1 && !outputs.some(({ format }) => OF_MANY.includes(format))
  return [...groups.values()].map((some) => ({
    outputs: some.toSorted((one, other) => rankOf(one) - rankOf(other)),
    files: [
      ...some.map(({ name }) => name),
      ...beside.filter((name) => isAlone || some.some((output) => isNamedAlike(name, output.name))),
    ].toSorted(),
  }))
}

/** Tells whether a file may be an output by its name; records and structures are told by themselves where they are JSON. */
export function isCalledLikeAnOutput(path: string): boolean {
  const name = path.replace(/\.gz$/i, '')
  return !/\.(?:json|ndjson|jsonl)$/i.test(name) && OUTPUT_FORMATS.some(({ fileNames }) => fileNames.test(name))
}

/** Potentials of VASP are not to be handed on; their titles are in the output. */
export function isLicensed(name: string): boolean {
  return /(?:^|\/)potcar[^/]*$/i.test(name)
}

/** Tells `si.scf.in` for the input of `si.scf.out`, `INCAR.relax1` for that of `OUTCAR.relax1`. */
function isNamedAlike(name: string, output: string): boolean {
  const [one, other] = [partsOf(name), partsOf(output)]
  return one.first === other.first || (one.last !== '' && one.last === other.last && stemOf(output) === one.last)
}

function partsOf(name: string): { readonly first: string; readonly last: string } {
  const last = name
    .slice(name.lastIndexOf('/') + 1)
    .replace(/\.gz$/i, '')
    .toLowerCase()
  const dot = last.lastIndexOf('.')
  return { first: dot < 1 ? last : last.slice(0, dot), last: dot < 1 ? '' : last.slice(dot + 1) }
}

function rankOf({ format }: FoundOutput): number {
  return [...OF_VASP, ...OF_PW].indexOf(format)
}

/** Outputs of VASP go together by what is left of their names (`OUTCAR.relax1`, `vasprun.relax1.xml`), those of pw.x where there is one of each. */
function groupOf(output: FoundOutput, all: readonly FoundOutput[]): string {
  const { name, format } = output
  if (OF_VASP.includes(format)) return `vasp ${folderOf(name)} ${stemOf(name)}`
  const ofPw = all.filter((one) => OF_PW.includes(one.format))
  if (OF_PW.includes(format) && ofPw.length === 2 && ofPw[0]?.format !== ofPw[1]?.format) return 'pw'
  return `file ${name}`
}

function folderOf(name: string): string {
  return name.includes('/') ? name.slice(0, name.lastIndexOf('/')) : ''
}

function stemOf(name: string): string {
  const last = name.slice(name.lastIndexOf('/') + 1)
  return last
    .replace(/\.gz$/i, '')
    .replace(/vasprun|outcar|oszicar|\.xml$/gi, '')
    .replace(/^[._-]+|[._-]+$/g, '')
    .toLowerCase()
}

/** Puts files into their folders, by the names that they have there. What pw.x has written into a folder of its own is part of the one that it is in. */
export function filesByFolder<File extends { readonly name: string }>(
  files: readonly File[],
): ReadonlyMap<string, readonly File[]> {
  const folders = new Map<string, File[]>()
  for (const file of files) {
    const parent = dirname(file.name)
    const folder = isSaveFolder(parent) ? dirname(parent) : parent
    const name = relative(folder, file.name)
    folders.set(folder, [...(folders.get(folder) ?? []), { ...file, name }])
  }
  return folders
}
