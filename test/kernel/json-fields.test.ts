import fc from 'fast-check'
import { expect, test } from 'vitest'
import { JsonBytes, type JsonObject } from '../../src/kernel/json.ts'
import { FieldNames, JsonFields, objectsIn } from '../../src/kernel/json-fields.ts'

const NAMES = ['a', 'ab', 'größer', 'zz']
const names = new FieldNames([...NAMES, 'a'])

const copied = (fields: JsonFields, name: string) => {
  const out = new JsonBytes()
  fields.copy([name], out)
  return out.take().toString()
}

test('the fields of any objects are found, copied and parsed as they are', () => {
  const key = fc.oneof(fc.constantFrom(...NAMES), fc.string({ unit: 'binary' }))
  const object = fc.dictionary(key, fc.jsonValue({ noUnicodeString: false }), { noNullPrototype: true })
  fc.assert(
    fc.property(fc.array(object), (objects) => {
      const text = JSON.stringify(objects)
      const found = [...objectsIn(Buffer.from(text), names)]
      const written: readonly JsonObject[] = JSON.parse(text)
      expect(found).toHaveLength(objects.length)
      for (const [index, fields] of found.entries()) {
        for (const name of NAMES) {
          const value = written[index]?.[name]
          expect(fields.value(name)).toEqual(value)
          expect(copied(fields, name)).toBe(JSON.stringify(value ?? null))
        }
      }
    }),
  )
})

test('a field within a field is copied; there is none in what is no object', () => {
  const fields = new JsonFields(Buffer.from('{"a":{"zz":[1, "}"],"b":2},"ab":[{"a":1}]}'), names)
  const out = new JsonBytes()
  for (const path of [
    ['a', 'zz'],
    ['a', 'ab'],
    ['ab', 'a'],
    ['zz', 'a'],
  ] as const)
    fields.copy(path, out)
  expect(out.take().toString()).toBe('[1, "}"]nullnullnull')
})

test('names of one hash are told apart', () => {
  const fields = new JsonFields(Buffer.from('{"Aa":1,"BB":2,"CC":3}'), new FieldNames(['Aa', 'BB']))
  expect([fields.value('Aa'), fields.value('BB')]).toEqual([1, 2])
})

test('a field that was not looked for is no missing one', () => {
  const fields = new JsonFields(Buffer.from('{"b":1}'), names)
  expect(fields.value('a')).toBeUndefined()
  expect(() => fields.value('b')).toThrow('The field b was not looked for.')
})

test.each(['', '[', '{"a":1', '{"a":"x', '{"a":[1,2}', 'null', '{"a', '{"a":1,'])(
  'a text that is no object, %j, is refused',
  (text) => {
    expect(() => new JsonFields(Buffer.from(text), names)).toThrow('The text')
  },
)
