import { expect, test } from 'vitest'
import { surveyStream, textsOfStream } from '../../src/records/import/frames-of-streams.ts'

const block = (element: string) => `1\n\n${element} 0 0 0\n`

/** A file that has another content each time it is read. */
const fileOf = (...contents: readonly string[]) => {
  const left = [...contents]
  return {
    name: 'a.xyz',
    async *open() {
      const bytes = Buffer.from(left.shift() ?? '')
      for (let from = 0; from < bytes.length; from += 7) yield bytes.subarray(from, from + 7)
    },
  }
}

const textsOf = async (...contents: readonly string[]) => {
  const file = fileOf(...contents)
  const hints = { fileName: file.name }
  const survey = await surveyStream(file, hints)
  const texts: unknown[] = []
  for await (const text of textsOfStream(file, hints, survey)) texts.push(text)
  return { frames: survey.frames, texts }
}

test('a file is counted, and then given structure by structure', async () => {
  const text = block('Fe') + block('Ni')
  expect(await textsOf(text, text)).toEqual({ frames: 2, texts: [block('Fe'), block('Ni')] })
})

test('a file that was changed between the two is refused', async () => {
  await expect(textsOf(block('Fe') + block('Ni'), block('Fe') + block('Cu'))).rejects.toMatchObject({
    code: 42205,
    message: 'The file "a.xyz" was changed while it was being imported.',
  })
})
