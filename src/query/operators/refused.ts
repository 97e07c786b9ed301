interface Refusal {
  /** Why it is not run. */
  readonly reason: string
  /** What works instead. */
  readonly instead: string
}

const JAVASCRIPT: Refusal = {
  reason: 'No JavaScript is ever run on the server.',
  instead: 'Use $expr with aggregation operators, or a condition on the fields.',
}
const GEOMETRY: Refusal = {
  reason: 'Records are crystals and methods, not places on a map; there is no geospatial index.',
  instead: 'Compare the coordinates as numbers with $gte and $lte.',
}
const SEARCH: Refusal = {
  reason: 'There is no full-text index.',
  instead: 'Use $regex, such as {"name":{"$regex":"silicon","$options":"i"}}.',
}
const SCHEMA: Refusal = {
  reason: 'Records are checked against their schema when they are written.',
  instead: 'Use $type and $exists on the fields.',
}
const CHANCE: Refusal = {
  reason: 'The same query must give the same answer, so that pages do not overlap.',
  instead: 'Fetch the ids and draw from them.',
}
const LEGACY: Refusal = {
  reason: 'It belongs to an old form of queries.',
  instead: 'Give the filter itself, and sort and limit in the projection.',
}

/** The operators of MongoDB that this server does not run, and what to do without them. */
export const REFUSED_OPERATORS: ReadonlyMap<string, Refusal> = new Map(
  Object.entries({
    $where: JAVASCRIPT,
    $function: JAVASCRIPT,
    $accumulator: JAVASCRIPT,
    $text: SEARCH,
    $search: SEARCH,
    $searchMeta: SEARCH,
    $vectorSearch: SEARCH,
    $jsonSchema: SCHEMA,
    $sampleRate: CHANCE,
    $rand: CHANCE,
    $geoIntersects: GEOMETRY,
    $geoWithin: GEOMETRY,
    $within: GEOMETRY,
    $near: GEOMETRY,
    $nearSphere: GEOMETRY,
    $geoNear: GEOMETRY,
    $geometry: GEOMETRY,
    $box: GEOMETRY,
    $center: GEOMETRY,
    $centerSphere: GEOMETRY,
    $polygon: GEOMETRY,
    $minDistance: GEOMETRY,
    $maxDistance: GEOMETRY,
    $uniqueDocs: GEOMETRY,
    $query: LEGACY,
    $orderby: LEGACY,
    $hint: LEGACY,
    $alwaysTrue: { reason: 'It is internal to MongoDB.', instead: 'The filter {} matches everything.' },
    $alwaysFalse: { reason: 'It is internal to MongoDB.', instead: 'The filter {"_id":{"$in":[]}} matches nothing.' },
  }),
)
