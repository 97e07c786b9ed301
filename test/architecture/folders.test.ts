import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, it } from 'vitest'

const ROOT = fileURLToPath(new URL('../..', import.meta.url))
const ROW = /^\| ([a-z]*) *\| (?:`([a-z-]+)\/`)? *\| .+ \|$/

/** The folders that the page of the folders tells of, as `room/folder`. */
function toldFolders(): readonly string[] {
  const text = readFileSync(join(ROOT, 'docs/architecture/folders.md'), 'utf8')
  const table = text.slice(text.indexOf('| room | folder |'), text.indexOf('| folder of `web/`'))
  let room = ''
  return table.split('\n').flatMap((line) => {
    const [, named, folder] = ROW.exec(line) ?? []
    if (named !== undefined && named !== '') room = named
    return folder === undefined ? [] : [`${room}/${folder}`]
  })
}

const foldersOf = (room: string): readonly string[] =>
  readdirSync(join(ROOT, 'src', room), { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => `${room}/${name}`)

it('every folder of a room is told of in docs/architecture/folders.md, and no other', () => {
  const rooms = readdirSync(join(ROOT, 'src'))
  expect(toldFolders().toSorted()).toEqual(rooms.flatMap(foldersOf).toSorted())
})
