import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'

/** A folder on disk, as somebody has it. */
export interface LocalFolder {
  readonly path: string
  remove(): Promise<void>
}

/** Makes a folder of a name with files by their paths below it. */
export async function makeFolder(
  name: string,
  files: Readonly<Record<string, string | Uint8Array>>,
): Promise<LocalFolder> {
  const above = await mkdtemp(join(tmpdir(), 'quarry-chosen-'))
  for (const [path, content] of Object.entries(files)) {
    await mkdir(dirname(join(above, name, path)), { recursive: true })
    await writeFile(join(above, name, path), content)
  }
  return { path: join(above, name), remove: () => rm(above, { recursive: true }) }
}
