import type { FigureName } from './report/figures.ts'

/** A promise about a figure of a run. */
export interface Target {
  readonly statement: string
  readonly figure: FigureName
  readonly atMost?: number
  readonly atLeast?: number
  /** The size of the data set that the bound is for; without it, any size from 100 000. */
  readonly documents?: number
}

const MILLION = 1_000_000

/** What Quarry aims at. Ratios are of CPU time per request within one run. */
export const TARGETS: readonly Target[] = [
  // What is felt: the first minute, cold data, many accounts.
  { statement: 'the first list of a server, ms', figure: 'first list, ms', atMost: 150, documents: MILLION },
  { statement: 'the first list of a server, ms', figure: 'first list, ms', atMost: 80, documents: 100_000 },
  { statement: 'first use of any field, ms', figure: 'first use, slowest ms', atMost: 150, documents: MILLION },
  { statement: 'reads beside first uses, p99, ms', figure: 'reads beside first use, p99 ms', atMost: 10 },
  { statement: 'a minute alone after a start, CPU s', figure: 'alone, CPU s', atMost: 3, documents: MILLION },
  { statement: 'resident after that minute, MB', figure: 'alone, MB', atMost: 450, documents: MILLION },
  { statement: 'a list of cold documents, CPU ms', figure: 'cold list, CPU ms', atMost: 1.2, documents: 100_000 },
  { statement: 'resident after 300 of them, MB', figure: 'after cold lists, MB', atMost: 350, documents: 100_000 },
  { statement: 'the first list of any of 2,001 accounts, ms', figure: 'accounts, slowest first list, ms', atMost: 30 },
  { statement: 'resident at most with them, MB', figure: 'accounts, MB at most', atMost: 400 },
  // Questions never asked.
  { statement: 'A never asked against the fair floor', figure: 'NA quarry / fair', atMost: 1.5 },
  { statement: 'B never asked against the fair floor', figure: 'NB quarry / fair', atMost: 2.5 },
  { statement: 'C never asked against the fair floor', figure: 'NC quarry / fair', atMost: 3 },
  { statement: 'F never asked against the fair floor', figure: 'NF quarry / fair', atMost: 2 },
  { statement: 'F5 never asked against the fair floor', figure: 'NF5 quarry / fair', atMost: 3.5 },
  { statement: 'two sort keys, new filter, CPU ms', figure: 'N2, CPU ms', atMost: 1, documents: MILLION },
  { statement: 'lists of two workers against one', figure: 'two workers / one', atLeast: 1.8 },
  // Writes.
  { statement: 'the first create of a server, CPU ms', figure: 'first create, CPU ms', atMost: 50 },
  { statement: 'the twentieth, CPU ms', figure: 'twentieth create, CPU ms', atMost: 8 },
  { statement: 'a create with symmetry, CPU ms', figure: 'create with symmetry, CPU ms', atMost: 3.5 },
  { statement: 'a property, CPU ms', figure: 'create of a property, CPU ms', atMost: 3 },
  {
    statement: 'a list by a property against one by a field, CPU',
    figure: 'list by a property / by a field, CPU',
    atMost: 1.1,
  },
  { statement: 'an import, documents/s until stored', figure: 'import with symmetry, documents/s', atLeast: 900 },
  { statement: 'the same until all is computed', figure: 'import with symmetry, with all, documents/s', atLeast: 600 },
  { statement: 'crystals that it leaves without symmetry', figure: 'import, crystals that lack symmetry', atMost: 0 },
  { statement: 'bulk through the port, documents/s', figure: 'load, documents/s', atLeast: 10_000 },
  // Code.
  { statement: 'lines that find records', figure: 'lines that find', atMost: 8000 },
  // What is so already, and stays.
  { statement: 'a list after a write of another account', figure: 'list after a write / before', atMost: 1.25 },
  { statement: 'A: the best peer against Quarry uncached', figure: 'A best peer / quarry', atLeast: 3.5 },
  { statement: 'B: the best peer against Quarry uncached', figure: 'B best peer / quarry', atLeast: 250 },
  { statement: 'C: the best peer against Quarry uncached', figure: 'C best peer / quarry', atLeast: 350 },
  { statement: 'F: the best peer against Quarry uncached', figure: 'F best peer / quarry', atLeast: 200 },
  { statement: 'F5: the best peer against Quarry uncached', figure: 'F5 best peer / quarry', atLeast: 100 },
  { statement: 'A on PostgreSQL against a bare script', figure: 'A quarry-postgres / bare-postgres', atMost: 1.6 },
  { statement: 'new lists on PostgreSQL against it', figure: 'NF quarry-postgres / bare-postgres', atMost: 1.5 },
  {
    statement: 'a query on PostgreSQL against the embedded store, CPU',
    figure: 'queries on PostgreSQL / embedded, CPU, highest',
    atMost: 1.3,
    documents: MILLION,
  },
  { statement: 'index-served queries, median row, ms', figure: 'index rows, median ms', atMost: 0.3 },
  { statement: 'index-served queries, slowest row, ms', figure: 'index rows, slowest ms', atMost: 3 },
  { statement: 'skip 500 000, ms', figure: 'deep rows, slowest ms', atMost: 5, documents: MILLION },
  { statement: 'a count of what an index serves, ms', figure: 'counts, slowest ms', atMost: 2 },
  {
    statement: 'facets and histograms beside a list, ms',
    figure: 'facets, slowest ms',
    atMost: 150,
    documents: MILLION,
  },
  { statement: 'a scan that no index serves, ms', figure: 'scan rows, slowest ms', atMost: 70, documents: 100_000 },
  { statement: 'reads while another client scans, p99, ms', figure: 'reads beside scans, p99 ms', atMost: 10 },
  // Pages of 500.
  { statement: 'a page by cursor, last tenth against first', figure: 'walk, last tenth / first tenth', atMost: 1.25 },
  { statement: 'reads beside an import, p99, ms', figure: 'reads during import with symmetry, p99 ms', atMost: 5 },
  { statement: 'reads beside an import, share', figure: 'reads during import with symmetry, share', atLeast: 0.65 },
  { statement: 'a create, KB written', figure: 'create with symmetry, KB written', atMost: 60 },
  { statement: 'loading into PostgreSQL, documents/s', figure: 'load on PostgreSQL, documents/s', atLeast: 5000 },
  { statement: 'a create on PostgreSQL, CPU ms', figure: 'create on PostgreSQL, CPU ms', atMost: 4.5 },
  { statement: 'the file, KB a document', figure: 'file, KB a document', atMost: 4.7 },
  { statement: 'start on an existing file, ms', figure: 'start, ms', atMost: 1000, documents: MILLION },
  { statement: 'memory that an export adds, MB', figure: 'export, MB added', atMost: 50 },
]
