import { describe, expect, it } from 'vitest'
import { MOST_PARTS, readForm } from '../../src/records/work/client-body.ts'

const BOUNDARY = 'between'
const TYPE = `multipart/form-data; boundary=${BOUNDARY}`
const field = '\r\nContent-Disposition: form-data; name="tags"\r\n\r\nx\r\n'
const file = '\r\nContent-Disposition: form-data; name="f"; filename="a.cif"\r\n\r\nx\r\n'

const formOf = (parts: readonly string[], { before = '', boundary = BOUNDARY } = {}) =>
  new Uint8Array(Buffer.from(`${before}${parts.map((part) => `--${boundary}${part}`).join('')}--${boundary}--\r\n`))
const times = (count: number, part: string) => Array.from({ length: count }, () => part)

describe('a form of very many parts', () => {
  it('is read when it has as many files and fields as are read', async () => {
    const form = await readForm(formOf([...times(MOST_PARTS, file), ...times(MOST_PARTS, field)]), TYPE)
    expect(form.files.names).toHaveLength(MOST_PARTS)
    expect(form.fields).toHaveLength(MOST_PARTS)
  })

  it('is refused when it has one more, before any of it is read', async () => {
    const parts = [...times(2 * MOST_PARTS, file), file]
    await expect(readForm(formOf(parts), TYPE)).rejects.toThrow(`The form has more than ${2 * MOST_PARTS} parts.`)
    const afterLines = formOf(parts, { before: '\r\n\r\n' })
    await expect(readForm(afterLines, TYPE)).rejects.toThrow(`The form has more than ${2 * MOST_PARTS} parts.`)
    // Its boundary is another one than its type says: taken apart, it would be damaged.
    const other = formOf(parts, { boundary: 'other' })
    await expect(readForm(other, TYPE)).rejects.toThrow(`The form has more than ${2 * MOST_PARTS} parts.`)
  })

  it('is refused when more of them are fields than are read', async () => {
    const parts = times(MOST_PARTS + 1, field)
    await expect(readForm(formOf(parts), TYPE)).rejects.toThrow(`The form has more than ${MOST_PARTS} fields.`)
  })

  it('may have a file of more lines than that, behind lines that are empty', async () => {
    const text = file.replace('\r\nx\r\n', `\r\n${'x\r\n'.repeat(3 * MOST_PARTS)}`)
    expect((await readForm(formOf([text], { before: '\r\n' }), TYPE)).files.names).toEqual(['a.cif'])
  })
})
