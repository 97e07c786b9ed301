import type { FigureName } from './report/figures.ts'

/** A promise about a figure of a run. */
export interface Target {
  readonly statement: string
  readonly figure: FigureName
  readonly atMost?: number
  readonly atLeast?: number
  /** The size of the data set that the bound is for; without it, any size of 100 000 and above. */
  readonly documents?: number
}

/** What Quarry aims at. Ratios are of CPU time per request within one run. */
export const TARGETS: readonly Target[] = [
  { statement: 'A uncached against bare node:http', figure: 'A quarry / bare', atMost: 1.1 },
  { statement: 'B uncached against bare node:http', figure: 'B quarry / bare', atMost: 2 },
  { statement: 'C uncached against bare node:http', figure: 'C quarry / bare', atMost: 2.2 },
  { statement: 'F uncached against bare node:http', figure: 'F quarry / bare', atMost: 1.6 },
  { statement: 'F5 uncached against bare node:http', figure: 'F5 quarry / bare', atMost: 3.8 },
  { statement: 'lists whose documents are not in memory against bare node:http', figure: 'N quarry / bare', atMost: 5 },
  // the same; what is within a quarter is the machine
  { statement: 'a list after a write of another account', figure: 'list after a write / before', atMost: 1.25 },
  { statement: 'A repeated against bare node:http', figure: 'A quarry-repeated / bare', atMost: 1.15 },
  { statement: 'B repeated against bare node:http', figure: 'B quarry-repeated / bare', atMost: 1.15 },
  { statement: 'C repeated against bare node:http', figure: 'C quarry-repeated / bare', atMost: 1.15 },
  { statement: 'F repeated against bare node:http', figure: 'F quarry-repeated / bare', atMost: 1.15 },
  { statement: 'F5 repeated against bare node:http', figure: 'F5 quarry-repeated / bare', atMost: 1.15 },
  { statement: 'A: the best peer against Quarry uncached', figure: 'A best peer / quarry', atLeast: 3.5 },
  { statement: 'B: the best peer against Quarry uncached', figure: 'B best peer / quarry', atLeast: 250 },
  { statement: 'C: the best peer against Quarry uncached', figure: 'C best peer / quarry', atLeast: 350 },
  { statement: 'F: the best peer against Quarry uncached', figure: 'F best peer / quarry', atLeast: 200 },
  { statement: 'F5: the best peer against Quarry uncached', figure: 'F5 best peer / quarry', atLeast: 100 },
  { statement: 'A on PostgreSQL against a bare script', figure: 'A quarry-postgres / bare-postgres', atMost: 1.6 },
  {
    statement: 'lists on PostgreSQL whose documents are not in memory against a bare script',
    figure: 'N quarry-postgres / bare-postgres',
    atMost: 1.5,
  },
  {
    statement: 'a query on PostgreSQL against the embedded store, CPU',
    figure: 'queries on PostgreSQL / embedded, CPU, highest',
    atMost: 1.3,
    documents: 1_000_000,
  },
  { statement: 'index-served queries, median row, ms', figure: 'index rows, median ms', atMost: 0.3 },
  { statement: 'index-served queries, slowest row, ms', figure: 'index rows, slowest ms', atMost: 3 },
  { statement: 'index-served queries, slowest first use, ms', figure: 'first use, slowest ms', atMost: 400 },
  { statement: 'reads beside first uses, p99, ms', figure: 'reads beside first use, p99 ms', atMost: 10 },
  { statement: 'skip 500 000, ms', figure: 'deep rows, slowest ms', atMost: 5, documents: 1_000_000 },
  { statement: 'a count of what an index serves, ms', figure: 'counts, slowest ms', atMost: 2 },
  {
    statement: 'facets and histograms beside a list, ms',
    figure: 'facets, slowest ms',
    atMost: 150,
    documents: 1_000_000,
  },
  { statement: 'a scan that no index serves, ms', figure: 'scan rows, slowest ms', atMost: 70, documents: 100_000 },
  { statement: 'reads while another client scans, p99, ms', figure: 'reads beside scans, p99 ms', atMost: 10 },
  {
    statement: 'an indexed query against 10 000 documents, CPU',
    figure: 'growth of an indexed query',
    atMost: 1.5,
    documents: 1_000_000,
  },
  // pages of 500
  { statement: 'a page by cursor, last tenth against first', figure: 'walk, last tenth / first tenth', atMost: 1.25 },
  { statement: 'loading with everything indexed, documents/s', figure: 'load, documents/s', atLeast: 10_000 },
  { statement: 'an import, documents/s', figure: 'import without symmetry, documents/s', atLeast: 4000 },
  { statement: 'an import with symmetry, documents/s', figure: 'import with symmetry, documents/s', atLeast: 700 },
  { statement: 'crystals that it leaves without symmetry', figure: 'import, crystals that lack symmetry', atMost: 0 },
  { statement: 'reads beside an import, p99, ms', figure: 'reads during import without symmetry, p99 ms', atMost: 5 },
  {
    statement: 'reads beside an import, share of the idle rate',
    figure: 'reads during import without symmetry, share',
    atLeast: 0.65,
  },
  {
    statement: 'reads beside an import with symmetry, p99, ms',
    figure: 'reads during import with symmetry, p99 ms',
    atMost: 5,
  },
  {
    statement: 'reads beside an import with symmetry, share of the idle rate',
    figure: 'reads during import with symmetry, share',
    atLeast: 0.65,
  },
  { statement: 'a single create, CPU ms', figure: 'create without symmetry, CPU ms', atMost: 1.6 },
  { statement: 'a single create with symmetry, CPU ms', figure: 'create with symmetry, CPU ms', atMost: 3.5 },
  { statement: 'a single create, KB written', figure: 'create with symmetry, KB written', atMost: 60 },
  { statement: 'loading into PostgreSQL, documents/s', figure: 'load on PostgreSQL, documents/s', atLeast: 5000 },
  { statement: 'a single create on PostgreSQL, CPU ms', figure: 'create on PostgreSQL, CPU ms', atMost: 4.5 },
  { statement: 'the file, KB a document', figure: 'file, KB a document', atMost: 4.7 },
  { statement: 'start on an existing file, ms', figure: 'start, ms', atMost: 1000, documents: 1_000_000 },
  {
    statement: 'memory after the query table, MB',
    figure: 'after the query table, MB',
    atMost: 600,
    documents: 1_000_000,
  },
  { statement: 'memory of a server, MB', figure: 'serving, MB at most', atMost: 600, documents: 1_000_000 },
  { statement: 'memory that an export adds, MB', figure: 'export, MB added', atMost: 50 },
]
