/** An operator of the query language, for people who are writing a query. */
export interface QueryOperator {
  readonly name: string
  readonly says: string
  /** What its operand looks like at first; `|` is where one goes on writing. */
  readonly operand: string
}

function operator(name: string, operand: string, says: string): QueryOperator {
  return { name, says, operand }
}

/** What may stand within a field: `{"lattice.a": {"$gt": 4}}`. */
export const FIELD_OPERATORS: readonly QueryOperator[] = [
  operator('$eq', '|', 'equal to it'),
  operator('$ne', '|', 'not equal to it, or not there'),
  operator('$gt', '|', 'greater'),
  operator('$gte', '|', 'greater or equal'),
  operator('$lt', '|', 'less'),
  operator('$lte', '|', 'less or equal'),
  operator('$in', '[|]', 'one of these'),
  operator('$nin', '[|]', 'none of these'),
  operator('$exists', 'true|', 'whether it is there'),
  operator('$regex', '"|"', 'text that matches a pattern'),
  operator('$options', '"i|"', 'of the pattern: i, m, s, x, u'),
  operator('$not', '{|}', 'what the operators do not find'),
  operator('$all', '[|]', 'arrays with all of these'),
  operator('$elemMatch', '{|}', 'arrays with one element that meets all of it'),
  operator('$size', '|', 'arrays of that many elements'),
  operator('$type', '"|"', 'values of a type'),
  operator('$mod', '[|]', 'numbers that leave a remainder: [divisor, remainder]'),
  operator('$bitsAllSet', '[|]', 'integers in which all of the bits are 1'),
  operator('$bitsAnySet', '[|]', 'integers in which one of the bits is 1'),
  operator('$bitsAllClear', '[|]', 'integers in which all of the bits are 0'),
  operator('$bitsAnyClear', '[|]', 'integers in which one of the bits is 0'),
  operator('$comment', '"|"', 'asks nothing'),
]

/** What may stand in the place of a field: `{"$or": [{…}, {…}]}`. */
export const FILTER_OPERATORS: readonly QueryOperator[] = [
  operator('$and', '[{|}]', 'all of the filters hold'),
  operator('$or', '[{|}]', 'one of the filters holds'),
  operator('$nor', '[{|}]', 'none of the filters holds'),
  operator('$expr', '{|}', 'an expression is true of the record'),
  operator('$comment', '"|"', 'asks nothing'),
]

/** What `$type` takes. */
export const TYPE_NAMES = ['number', 'string', 'object', 'array', 'bool', 'null', 'int', 'double'] as const
