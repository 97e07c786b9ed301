import type { ChosenFile, LeftAside, Portion } from './portions.ts'
import { shownPath } from './portions.ts'
import type { SaidRun } from './run-row.ts'

/** What the server says of files that were sent. */
export interface RunsAnswer {
  readonly calculations: readonly SaidRun[]
  /** Names of files that are of no calculation; of these, those that hold a structure, and those that are not to be handed on. */
  readonly unused: readonly string[]
  readonly structures: readonly string[]
  readonly licensed: readonly string[]
}

/** Says what becomes of files of no calculation: those that hold a structure are imported as such, and so is whatever was chosen by itself; others are left aside. */
export function filesOfNoRun<Content extends Blob>(
  portion: Portion,
  { calculations, unused, structures, licensed }: RunsAnswer,
  files: ReadonlyMap<string, ChosenFile<Content>>,
): { readonly structures: readonly Content[]; readonly leftAside: readonly LeftAside[] } {
  const archive = portion.isArchive ? files.get(portion.sendings[0]?.path ?? '') : undefined
  if (archive !== undefined && calculations.length === 0 && structures.length > 0)
    return { structures: [archive.file], leftAside: [] }
  const found: Content[] = []
  const leftAside: LeftAside[] = []
  for (const name of unused) {
    const path = shownPath(portion, name)
    const file = files.get(path)?.file
    const isStructure = structures.includes(name)
    if (licensed.includes(name)) leftAside.push({ path, why: 'licensed' })
    else if (file !== undefined && (isStructure || !path.includes('/'))) found.push(file)
    else leftAside.push({ path, why: isStructure ? 'packed-structure' : portion.isArchive ? 'packed' : 'useless' })
  }
  return { structures: found, leftAside }
}
