import { describe, expect, it } from 'vitest'
import { placeInJson, placeOfCharacter } from '../../web/query/place-in-json.ts'

const marked = (text: string, path: string) => {
  const place = placeInJson(text, path)
  return place === null ? null : text.slice(...place)
}

describe('a path of the query', () => {
  it.each([
    ['{"formula": "Si"}', 'formula', '"formula"'],
    ['{"lattice.a": {"$gtt": 3}}', 'lattice.a.$gtt', '"$gtt"'],
    ['{"lattice": {"a": {"$gtt": 3}}}', 'lattice.a.$gtt', '"$gtt"'],
    ['{"$and": [{"a": 1}, {"b": {"$in": 5}}]}', '$and[1].b.$in', '"$in"'],
    ['{"$and": [{"a": 1}, 7]}', '$and[1]', '7'],
    ['{"$and": [[1, 2], {"c": 3}]}', '$and[0][1]', '2'],
    ['{"a": 1, "a.b": {"$no": 1}}', 'a.b.$no', '"$no"'],
    ['{"quo\\"te": {"$no": "}"}, "x": 1}', 'x', '"x"'],
    ["{$or: [{formula: 'a}', 'lattice.a': {$gtt: 4}}]}", '$or[0].lattice.a.$gtt', '$gtt'],
    ["{formula: 'a}', 'lattice.a': 1}", 'lattice.a', "'lattice.a'"],
    [' {\n"a" : "b,]}" ,\n "c":true } ', 'c', '"c"'],
  ])('in %s leads from %s to %s', (text, path, place) => {
    expect(marked(text, path)).toBe(place)
    expect(marked(text, `.${path}`)).toBe(place)
  })

  it('that leads further than the text marks its last step that is there', () => {
    expect(marked('{"a": {"b": 1}}', 'a.b.c.d')).toBe('"b"')
  })

  it('that is not there marks nothing', () => {
    expect(marked('{"ab": 1, "b": {"a": 1}}', 'a')).toBeNull()
    expect(marked('[]', 'a')).toBeNull()
    expect(marked('', 'a')).toBeNull()
  })

  it.each(['[}', '{"a" 1', '{"a":', '{a: 1}', '[1,,2]', '"', '{"a": [}]', '\\'])(
    'is looked for in %j to its end',
    (text) => {
      expect(() => placeInJson(text, 'b.c')).not.toThrow()
    },
  )
})

describe('a character by line and column', () => {
  it('is found across lines', () => {
    expect('{\n "a": x}'.slice(...placeOfCharacter('{\n "a": x}', 2, 7))).toBe('x')
  })

  it('after the end is the end', () => {
    expect(placeOfCharacter('{"a"', 1, 5)).toEqual([4, 4])
    expect(placeOfCharacter('{"a"', 9, 9)).toEqual([4, 4])
  })
})
