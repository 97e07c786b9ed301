/**
 * How many tries a test makes. A study makes many of one kind, to find what happens once in a thousand; in the suite stands a sample of it, which finds what happens in
 * every tenth. `npm run studies` runs them at full size, and `npm run test:more` at a tenth.
 */
export interface Study {
  /** The file of tests that makes it. */
  readonly file: string
  /** What there are many of. */
  readonly of: string
  readonly sample: number
  readonly full: number
}

export const STUDIES = {
  access: {
    file: 'test/http/access.test.ts',
    of: 'kinds of record, of each route, that every actor tries; a tenth is more than there are',
    sample: 2,
    full: 1_000,
  },
  differential: {
    file: 'test/contract/differential.test.ts',
    of: 'sets of random documents, of which the store and the matcher are asked the same',
    sample: 100,
    full: 4_000,
  },
  warnings: {
    file: 'test/contract/warnings.test.ts',
    of: 'sets of random documents, of which each told consequence of a random filter is counted',
    sample: 40,
    full: 8_000,
  },
  mistakes: {
    file: 'test/http/warned-doors.test.ts',
    of: 'queries with one mistake each: what is told is counted, asked for, and told by everything that takes a query',
    sample: 60,
    full: 3_000,
  },
  following: {
    file: 'test/contract/differential.test.ts',
    of: 'random orders of writes, replacements and removals, which segments follow',
    sample: 40,
    full: 1_500,
  },
  properties: {
    file: 'test/http/property-questions.test.ts',
    of: 'questions about what materials show of their properties, asked of a server and of a join of both, while they change',
    sample: 200,
    full: 20_000,
  },
  homes: {
    file: 'test/http/homes.test.ts',
    of: 'states of a server that hides records, compared with one that has none; a tenth is more than there are',
    sample: 1,
    full: 100,
  },
  orderings: {
    file: 'test/structure-matching/isometry.test.ts',
    of: 'pairs of random orderings on one lattice, told apart',
    sample: 400,
    full: 32_000,
  },
  threads: {
    file: 'test/store/segments.test.ts',
    of: 'seeds of what is written into a store whose threads seal and merge meanwhile',
    sample: 1,
    full: 50,
  },
  kills: {
    file: 'test/store/crash.test.ts',
    of: 'moments at which a process that writes is killed',
    sample: 1,
    full: 30,
  },
  killedBulkChanges: {
    file: 'test/cli/killed-bulk-changes.test.ts',
    of: 'kills of a server that carries out a change of many records, its undo, or an import',
    sample: 1,
    full: 40,
  },
  killedFiles: {
    file: 'test/cli/killed-files.test.ts',
    of: 'kills of a server that is given files, each of which is gone on with',
    sample: 3,
    full: 40,
  },
  killedHulls: {
    file: 'test/cli/killed-hulls.test.ts',
    of: 'kills of a server that writes what follows from energies',
    sample: 2,
    full: 40,
  },
  killedImports: {
    file: 'test/cli/killed-imports.test.ts',
    of: 'kills of an import of calculations, which is run again',
    sample: 3,
    full: 40,
  },
  largeFile: {
    file: 'test/cli/memory.test.ts',
    of: 'mebibytes of a file that is put and read, whose server takes no more memory',
    sample: 256,
    full: 2_560,
  },
  imports: {
    file: 'test/http/imports.test.ts',
    of: 'structures of one import, whose symmetry is found in batches of 200',
    sample: 450,
    full: 7_000,
  },
  commands: {
    file: 'test/cli/records.test.ts',
    of: 'structures that a command imports',
    sample: 450,
    full: 7_000,
  },
} as const satisfies Readonly<Record<string, Study>>

/** Which part of a study runs: 1 for all of it. Without it, the sample. */
const SHARE = Number(process.env['STUDIES'] ?? 0)

export function triesOf(study: keyof typeof STUDIES): number {
  const { sample, full } = STUDIES[study]
  return Math.max(sample, Math.ceil(SHARE * full))
}
