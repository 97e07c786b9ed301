import type { Mutant } from './mutant.ts'

const COUNTS = 'src/engine/facet-counts.ts'
const POINTS = 'src/engine/survey-points.ts'
const BODY = 'src/http/request/survey-body.ts'

const ENGINE = { tests: ['test/engine/survey.test.ts'] }
const DISTINCT = { tests: ['test/http/distinct.test.ts'], project: 'sqlite' }
const OVER_HTTP = { tests: ['test/http/surveys.test.ts'], project: 'sqlite' }

/** Mistakes in facets, histograms, points and the lists of fields. */
export const SURVEY_MUTANTS: readonly Mutant[] = [
  {
    name: 'facets keep every distinct value in memory',
    file: COUNTS,
    find: '    if (this.#counts.size > MOST_DISTINCT) this.#counts = null\n',
    replace: '',
    ...ENGINE,
  },
  {
    name: 'the last of as many different values as are told apart is one too many',
    file: COUNTS,
    find: 'this.#counts.size > MOST_DISTINCT',
    replace: 'this.#counts.size >= MOST_DISTINCT',
    ...ENGINE,
  },
  {
    name: 'records without a value are not counted where no column tells of them',
    file: COUNTS,
    find: '    if (scalars.length === 0) this.#without += 1\n',
    replace: '',
    ...ENGINE,
  },
  {
    name: 'the records of a value are counted only where it was met first',
    file: 'src/engine/first-values.ts',
    find: 'before.count += one.count',
    replace: 'before.count += 0',
    ...DISTINCT,
  },
  {
    name: 'a page of different values begins with the last one of the page before',
    file: 'src/engine/first-values.ts',
    find: 'compareBson(value, after) <= 0',
    replace: 'compareBson(value, after) < 0',
    ...DISTINCT,
  },
  {
    name: 'objects are left out of the different values of a field',
    file: 'src/engine/survey-distinct.ts',
    find: "['object', 'nested', 'vector', 'unknown']",
    replace: "['nested', 'vector', 'unknown']",
    ...DISTINCT,
  },
  {
    name: 'a number on the way of different values is looked for in each element',
    file: 'src/engine/survey-distinct.ts',
    find: 'else if (next.index >= 0) collect',
    replace: 'else if (next.index >= 1e9) collect',
    ...DISTINCT,
  },
  {
    name: 'the greatest number is in no bin',
    file: 'src/engine/bins.ts',
    find: 'return value === edges.at(-1) ? edges.length - 2 : -1',
    replace: 'return -1',
    ...ENGINE,
  },
  {
    name: 'a record that has several numbers in one bin counts several times',
    file: COUNTS,
    find: 'const found = new Set(numbers.map((number) => binOf(edges, number)))\n  found.delete(-1)\n  for (const bin of found)',
    replace:
      'const found = new Set(numbers.map((number) => binOf(edges, number)))\n  found.delete(-1)\n  for (const bin of numbers.map((number) => binOf(edges, number)).filter((one) => one >= 0))',
    ...ENGINE,
  },
  {
    name: 'colours come to the points of other records where one has no number',
    file: POINTS,
    find: '    if (x === undefined || y === undefined) return\n    this.#x.push(x)',
    replace:
      '    this.#color?.push(color)\n    if (x === undefined || y === undefined) return\n    this.#color?.pop()\n    this.#x.push(x)',
    ...ENGINE,
  },
  {
    name: 'there are more points than were asked for',
    file: POINTS,
    find: 'Math.ceil(most / limit)',
    replace: 'Math.floor(most / limit)',
    ...ENGINE,
  },
  {
    name: 'points of some of the records are said to be of all',
    file: POINTS,
    find: 'const exact = isWhole && this.#step === 1',
    replace: 'const exact = isWhole',
    ...ENGINE,
  },
  {
    name: 'a list of fields that was cut is said to be whole',
    file: 'src/engine/survey-fields.ts',
    find: 'exact: exact && told.length === fields.length',
    replace: 'exact',
    ...ENGINE,
  },
  {
    name: 'a survey goes on when its time is up within a segment',
    file: 'src/engine/count-records.ts',
    find: '    if (isOver()) throw new TimeIsUp()\n',
    replace: '',
    ...ENGINE,
  },
  {
    name: 'the most that a survey may ask for is refused',
    file: BODY,
    find: 'json >= 1 && json <= most',
    replace: 'json >= 1 && json < most',
    ...OVER_HTTP,
  },
  {
    name: 'as many facets are taken as somebody sends',
    file: BODY,
    find: ' || facets.length > MOST_FACETS',
    replace: '',
    ...OVER_HTTP,
  },
  {
    name: 'the answer to one survey is given to another at the same address',
    file: 'src/http/routes/surveys.ts',
    find: '${context.method} ${context.url} ${bodyBytes(context).toString()}',
    replace: '${context.method} ${context.url}',
    ...OVER_HTTP,
  },
  {
    name: 'a survey is of what anybody has',
    file: 'src/records/use-cases/read-records.ts',
    find: 'limit: 1 }, kind.collection, session.scope)',
    replace: "limit: 1 }, kind.collection, { kind: 'operator' })",
    ...OVER_HTTP,
  },
]
