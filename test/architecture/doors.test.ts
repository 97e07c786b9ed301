import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import ts from 'typescript'
import { describe, expect, it } from 'vitest'
import { inWordsOf, REMEDIES, remedied } from '../../src/page/remedies.ts'
import { sourceFiles } from './source-files.ts'

const ROOT = fileURLToPath(new URL('../../src/', import.meta.url))

/** Words of requests, which mean nothing to whoever runs a command or looks at the page. */
const OF_REQUESTS =
  /\b[a-z][a-zA-Z]*=[a-zA-Z[{]|\b(?:headers?|body|bodies|endpoint|multipart|dryRun|onDuplicate|maxAtoms|url parameter|query parameter)\b|\b(?:GET|POST|PUT|PATCH|DELETE) \/|\bwith (?:PATCH|PUT|DELETE)\b|\bX-[A-Z]|\bContent-[A-Z]|\bAccept\b|the request again|Name its format|\bparameter [a-z]+\b/

/** Files whose texts nobody meets but by requests, or that are no messages; each with the reason. The list only gets shorter. */
const OF_THE_API: Readonly<Record<string, string>> = {
  'page/remedies.ts': 'has the words of all doors',
  'records/work/client-body.ts': 'reads bodies of requests',
  'records/kinds/material/list-parameters.ts': 'reads parameters of addresses',
  'records/errors.ts': 'titles of the catalogue',
  'query/fields/parse-projection.ts': 'reads projections of requests',
  'accounts/sessions.ts': 'reads credentials of requests',
  'store/limits.ts': 'bounds of bodies',
  'app/settings.ts': 'settings of the server',
  'app/config.ts': 'settings of the server',
  'cli/commands/audit.ts': 'names a request of the log',
  'cli/commands/token.ts': 'prints headers for a client',
  'cli/console/build-flags.ts': 'names what is written for elements, Ga=Al',
  'store/postgres/base/tls.ts': 'names parts of an address of PostgreSQL',
  'store/postgres/schema/server-check.ts': 'names parts of an address of PostgreSQL',
  'records/import/tar-entries.ts': 'names a part of the archive',
  'structure/formats/lammps/data.ts': 'names a part of the file',
  'store/sqlite/care/check/check-database.ts': 'names a part of the file',
}

const isSentence = (text: string): boolean =>
  /[a-zA-Z]+ [a-z]+/.test(text) && !/^(?:SELECT|DELETE|UPDATE|INSERT)/.test(text.trim())

/** Texts of a file that people may read; what is put in shows as `…`. */
function sentencesOf(file: string): readonly string[] {
  const found: string[] = []
  const visit = (node: ts.Node): void => {
    if (ts.isStringLiteralLike(node)) found.push(node.text)
    if (ts.isTemplateExpression(node))
      found.push(node.head.text + node.templateSpans.map(({ literal }) => `…${literal.text}`).join(''))
    ts.forEachChild(node, visit)
  }
  visit(ts.createSourceFile(file, readFileSync(`${ROOT}${file}`, 'utf8'), ts.ScriptTarget.Latest))
  return found.filter(isSentence)
}

const files = sourceFiles()
  .map((file) => file.slice('src/'.length))
  .filter((file) => !/^(?:http|optimade)\//.test(file))
const withWords = new Map(
  files.flatMap((file) => {
    const found = sentencesOf(file).filter((text) => OF_REQUESTS.test(text))
    return found.length === 0 ? [] : [[file, found] as const]
  }),
)

describe('a message', () => {
  it.each(
    [
      'Send it with PATCH to the record.',
      'Ask for ordered=majority.',
      'GET /materials lists them.',
      'Name its format, one of cif.',
    ].map((text) => [text]),
  )('of requests is told from one for people: %s', (text) => {
    expect(text).toMatch(OF_REQUESTS)
  })

  it('that commands and the page may show has no words of requests', () => {
    expect(Object.fromEntries([...withWords].filter(([file]) => !(file in OF_THE_API)))).toEqual({})
  })

  it('of the API alone is in a file that has some', () => {
    expect(Object.keys(OF_THE_API).filter((file) => !withWords.has(file))).toEqual([])
  })
})

const remedies = Object.entries(REMEDIES).flatMap(([name, words]) =>
  Object.entries(words).map(([door, text]) => ({ name, door, text })),
)
const valuesIn = (text: string) => [...new Set(text.match(/\{[a-z]+\}/g))].sort()

describe('a remedy', () => {
  it.each(remedies.filter(({ door }) => door !== 'api'))(
    '$name has words of its own for $door',
    ({ door, text, name }) => {
      expect(text.replace('Name its format with', '')).not.toMatch(OF_REQUESTS)
      if (door === 'page') expect(text.replace(/`quarry [^`]*`/g, '')).not.toMatch(/ --[a-z]|\{collection\}/)
      const given = valuesIn(REMEDIES[name as keyof typeof REMEDIES].api)
      expect(valuesIn(text).filter((value) => !given.includes(value))).toEqual([])
    },
  )

  it('names flags that a command has', () => {
    const commands = files
      .filter((file) => file.startsWith('cli/'))
      .map((file) => readFileSync(`${ROOT}${file}`, 'utf8'))
    const flags = new Set(commands.join('\n').match(/(?<=')--[a-z][a-z-]*(?= <|')/g))
    const named = remedies.flatMap(({ text }) => text.match(/--[a-z][a-z-]*/g) ?? [])
    expect(named.length).toBeGreaterThan(5)
    expect(named.filter((flag) => !flags.has(flag))).toEqual([])
  })
})

describe('a refusal', () => {
  const { hint, remedy } = remedied('chooseFrame', { last: 2 })
  const refused = { message: `There is no frame 3. ${hint}`, data: { hint, remedy, path: 'frame' } }

  it.each([
    ['api', 'There is no frame 3. Frames are counted from 0 to 2; -1 is the last.'],
    ['cli', 'There is no frame 3. Write --frame with a number from 0 to 2; -1 is the last.'],
    ['page', 'There is no frame 3. Choose a frame from 0 to 2; -1 is the last.'],
  ] as const)('is said in the words of the %s', (door, message) => {
    expect(inWordsOf(door, refused).message).toBe(message)
    expect(message).toContain(inWordsOf(door, refused).data.hint)
    expect(inWordsOf(door, refused).data).toMatchObject({ remedy, path: 'frame' })
  })

  it('says nothing of what a door has no way to do', () => {
    const said = inWordsOf('page', { message: 'It has no key.', data: remedied('nameKey') })
    expect(said).toEqual({ message: 'It has no key.', data: { remedy: { name: 'nameKey' } } })
  })

  it('is the same where nothing is known of it', () => {
    const plain = { message: 'No.', data: { hint: 'Go.', remedy: { name: 'toString' } } }
    expect(inWordsOf('cli', plain)).toEqual(plain)
  })
})
