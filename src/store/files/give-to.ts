import { chown, readdir } from 'node:fs/promises'
import { join } from 'node:path'

const ROOT = 0

/** Gives a folder with all that is in it to the owner of the data, where root has written it for somebody else. */
export async function giveTo(
  folder: string,
  { uid, gid }: { readonly uid: number; readonly gid: number },
): Promise<void> {
  if (process.getuid?.() !== ROOT || uid === ROOT) return
  await chown(folder, uid, gid)
  for (const entry of await readdir(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name)
    if (entry.isDirectory()) await giveTo(path, { uid, gid })
    else if (entry.isFile()) await chown(path, uid, gid)
  }
}
