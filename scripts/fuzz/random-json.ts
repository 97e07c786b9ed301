import { TOP_LEVEL_NAMES } from '../../src/query/filter/refuse-operator.ts'
import { FIELD_OPERATORS } from '../../src/query/filter/registry.ts'
import type { Random } from './random.ts'

const OPERATORS = [
  ...FIELD_OPERATORS.keys(),
  ...TOP_LEVEL_NAMES,
  ...['$where', '$function', '$text', '$jsonSchema', '$near', '$gtt', '$', '$$ROOT', '$oid', '$date', '$numberLong'],
  ...['$set', '$unset', '$inc', '$push', '$slice', '$meta', '$add', '$cond', '$map', '$let', '$regexMatch', '$range'],
]
const FIELDS = [
  ...['_id', 'name', 'formula', 'lattice.a', 'basis.elements.value', 'basis.elements.0.value', 'tags', 'owner._id'],
  ...[
    'query',
    'projection',
    'sort',
    'skip',
    'limit',
    'fields',
    'lattice',
    'basis',
    'type',
    'subtype',
    'username',
    'password',
  ],
  ...[
    '__proto__',
    'constructor',
    'toString',
    '',
    '.',
    'a..b',
    '.a',
    'a.',
    '$',
    '\u0000',
    'a\u0000b',
    'ключ',
    '💎',
    '0',
    '-1',
  ],
]
const TEXTS = [
  ...[
    '',
    'Si',
    'silicon',
    '^Si',
    '(a+)+$',
    '[',
    '(?=a)',
    '\\',
    '\\d{1000}',
    "' OR 1=1 --",
    '"; DROP TABLE record; --',
    '%',
  ],
  ...[
    '\u0000',
    '\ufeff',
    '💎',
    'e\u0301',
    'x'.repeat(300),
    '2026-01-01T00:00:00Z',
    '$name',
    '$$CURRENT',
    'int',
    'array',
    'imsx',
  ],
]
const NUMBERS = [0, -0, 1, -1, 0.5, 2 ** 31, -(2 ** 31), 2 ** 53 - 1, 2 ** 53, 1e308, 5e-324, 500, 501, 64, NaN]

/** Makes a value that is JSON, or nearly: what a client with a bug or with bad intent might ask. */
export function randomJson(random: Random, depth = 4): unknown {
  const kind = random.integer(depth > 0 ? 10 : 6)
  if (kind < 2) return random.pick(TEXTS)
  if (kind < 4) return random.pick(NUMBERS)
  if (kind === 4) return random.pick([true, false, null])
  if (kind === 5) return random.pick(FIELDS)
  const length = random.chance(0.02) ? 200 : random.integer(4)
  if (kind === 6) return Array.from({ length }, () => randomJson(random, depth - 1))
  return Object.fromEntries(Array.from({ length }, () => [randomKey(random), randomJson(random, depth - 1)]))
}

function randomKey(random: Random): string {
  return random.chance(0.6) ? random.pick(OPERATORS) : random.pick(FIELDS)
}

/** Writes it as text, sometimes with a mistake, sometimes absurdly deep. */
export function randomJsonText(random: Random): string {
  if (random.chance(0.01)) return '[{"a":'.repeat(1 + random.integer(3000))
  const text = JSON.stringify(randomJson(random)) ?? 'null'
  if (random.chance(0.8)) return text
  const at = random.integer(text.length + 1)
  const noise = random.pick(['', '"', '{', '}', ',', "'", '\u0000', '\\u', '\\ud800', '1e999', '//', 'NaN', '\ud83d'])
  return text.slice(0, at) + noise + text.slice(at + random.integer(3))
}
