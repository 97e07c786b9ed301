import fc from 'fast-check'
import type { Json, JsonObject } from '../../src/kernel/json.ts'
import { keys, objectOf, paths } from './arbitraries.ts'
import { conditions } from './arbitrary-filters.ts'

const directions = fc.constantFrom<Json>(1, -1)

/** Sorts of up to three keys, as an object or as pairs; empty is natural order. */
export const sorts: fc.Arbitrary<Json> = fc.array(fc.tuple(paths, directions), { maxLength: 3 }).chain((pairs) =>
  fc.constantFrom<Json>(
    objectOf(pairs),
    pairs.map(([path, direction]) => [path, direction]),
  ),
)

const slices = fc.oneof(
  fc.integer({ min: -3, max: 3 }),
  fc.tuple(fc.integer({ min: -3, max: 3 }), fc.integer({ min: 1, max: 3 })),
)

const special: fc.Arbitrary<readonly [string, Json]> = fc.oneof(
  fc.tuple(
    paths,
    slices.map(($slice) => ({ $slice })),
  ),
  fc.tuple(
    keys,
    conditions.map(($elemMatch) => ({ $elemMatch })),
  ),
)

/** Fields to include or to exclude, with `$slice` and `$elemMatch` among them; some of them collide and are refused. */
function flagged(flag: 0 | 1): fc.Arbitrary<JsonObject> {
  const plain = paths.map((path): readonly [string, Json] => [path, flag])
  const entry = fc.oneof({ weight: 3, arbitrary: plain }, { weight: 1, arbitrary: special })
  return fc.array(entry, { minLength: 1, maxLength: 3 }).map(objectOf)
}

/** The nested form of a path: `{"a":{"b":1}}`. */
const nested = paths.map(
  (path) => path.split('.').reduceRight<Json>((inner, part) => ({ [part]: inner }), 1) as JsonObject,
)

/** What `fields` may ask. */
export const fields: fc.Arbitrary<JsonObject> = fc.oneof(
  { weight: 3, arbitrary: fc.constant({}) },
  { weight: 3, arbitrary: flagged(1) },
  { weight: 2, arbitrary: flagged(0) },
  { weight: 1, arbitrary: special.map((entry) => objectOf([entry])) },
  { weight: 1, arbitrary: nested },
)
