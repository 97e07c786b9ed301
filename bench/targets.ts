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
  { statement: 'A uncached against bare node:http', figure: 'A quarry / bare', atMost: 1.5 },
  { statement: 'B uncached against bare node:http', figure: 'B quarry / bare', atMost: 4.5 },
  { statement: 'C uncached against bare node:http', figure: 'C quarry / bare', atMost: 4 },
  { statement: 'F uncached against bare node:http', figure: 'F quarry / bare', atMost: 4 },
  { statement: 'F5 uncached against bare node:http', figure: 'F5 quarry / bare', atMost: 6 },
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
  { statement: 'index-served queries, median row', figure: 'index rows, median ms', atMost: 1, documents: 100_000 },
  { statement: 'index-served queries, slowest row', figure: 'index rows, slowest ms', atMost: 15, documents: 100_000 },
  { statement: 'index-served queries, median row', figure: 'index rows, median ms', atMost: 5, documents: 1_000_000 },
  {
    statement: 'index-served queries, slowest row',
    figure: 'index rows, slowest ms',
    atMost: 60,
    documents: 1_000_000,
  },
  { statement: 'a scan that no index serves', figure: 'scan rows, slowest ms', atMost: 70, documents: 100_000 },
  { statement: 'reads while another client scans, p99', figure: 'reads beside scans, p99 ms', atMost: 10 },
  { statement: 'reads during an import, p99', figure: 'reads during import, p99 ms', atMost: 10 },
  { statement: 'reads during an import, share of the idle rate', figure: 'reads during import, share', atLeast: 0.6 },
  { statement: 'loading with everything indexed, documents/s', figure: 'load, documents/s', atLeast: 4000 },
  { statement: 'CPU of a single create, ms', figure: 'create, CPU ms', atMost: 3 },
  {
    statement: 'an indexed query against 10 000 documents, CPU',
    figure: 'growth of an indexed query',
    atMost: 1.5,
    documents: 1_000_000,
  },
  // pages of 500; what is within a quarter is the machine
  { statement: 'a page by cursor, last tenth against first', figure: 'walk, last tenth / first tenth', atMost: 1.25 },
  { statement: 'memory of a server, MB', figure: 'serving, MB at most', atMost: 600, documents: 1_000_000 },
  { statement: 'memory that an export adds, MB', figure: 'export, MB added', atMost: 50 },
  { statement: 'start on an existing file, ms', figure: 'start, ms', atMost: 1000, documents: 1_000_000 },
]
