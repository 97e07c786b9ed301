const NO_JAVASCRIPT = 'No JavaScript is ever run.'
const NOT_REPEATABLE = 'The same query must give the same answer.'
const STAGES_ONLY = 'It works on groups of documents, and a query looks at one document at a time.'

/** Operators of MongoDB that a query over JSON records does not have, with the reason and what works instead. */
export const REFUSED_EXPRESSIONS: ReadonlyMap<string, string> = new Map([
  ['$function', NO_JAVASCRIPT],
  ['$accumulator', NO_JAVASCRIPT],
  ['$where', NO_JAVASCRIPT],
  ['$rand', NOT_REPEATABLE],
  ['$sampleRate', NOT_REPEATABLE],
  ['$meta', 'There is no text search whose score it could give.'],
  ['$toHashedIndexKey', 'There are no hashed indexes.'],
  ['$toObjectId', 'Ids are strings here. Compare with the string itself.'],
  ['$toUUID', 'UUIDs are strings here. Compare with the string itself.'],
  ['$tsIncrement', 'Records hold no timestamps of that type.'],
  ['$tsSecond', 'Records hold no timestamps of that type.'],
  ['$addToSet', `${STAGES_ONLY} Use $setUnion.`],
  ['$push', `${STAGES_ONLY} Use $concatArrays.`],
  ['$count', `${STAGES_ONLY} Use $size.`],
  ['$top', `${STAGES_ONLY} Use $sortArray and $first.`],
  ['$topN', `${STAGES_ONLY} Use $sortArray and $firstN.`],
  ['$bottom', `${STAGES_ONLY} Use $sortArray and $last.`],
  ['$bottomN', `${STAGES_ONLY} Use $sortArray and $lastN.`],
  ['$regex', 'In an expression, use {"$regexMatch":{"input":"$a","regex":"^Si"}}.'],
  ['$exists', 'In an expression, use {"$ne":[{"$type":"$a"},"missing"]}.'],
  ['$nin', 'In an expression, use {"$not":{"$in":[…]}}.'],
  ['$nor', 'In an expression, use {"$not":{"$or":[…]}}.'],
  ['$elemMatch', 'In an expression, use $filter or $anyElementTrue.'],
  ['$all', 'In an expression, use $setIsSubset.'],
])
