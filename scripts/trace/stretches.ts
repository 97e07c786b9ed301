import { ARRIVAL, STATIONS } from './stations.ts'
import type { Entry } from './traced-server.ts'

/** A file within a stretch. */
export interface FileVisit {
  readonly file: string
  /** The line and the name of the function that was entered first. */
  readonly first: { readonly line: number; readonly name: string }
  readonly thread: number
  /** Milliseconds since the request came. */
  readonly at: number
  /** Milliseconds from entries of this file to the next entry of any: what it calls in other files counts for them, what it waits for counts here. */
  readonly took: number
  readonly calls: number
}

/** What was entered from the beginning of a station to that of the next. */
export interface Stretch {
  readonly station: string
  readonly at: number
  readonly took: number
  /** In the order in which they are entered. */
  readonly files: readonly FileVisit[]
}

type Visiting = { -readonly [Key in keyof FileVisit]: FileVisit[Key] }

/** Puts the entries of a request, which are in order of time, into stretches. The thread of the requests says where a station begins. */
export function stretchesOf(entries: readonly Entry[]): readonly Stretch[] {
  const from = entries[0]?.at ?? 0
  const stretches: { station: string; at: number; took: number; visits: Map<string, Visiting> }[] = []
  for (const [index, entry] of entries.entries()) {
    const at = entry.at - from
    const last = stretches.at(-1)
    const begun = entry.thread === 0 ? stationBegunBy(entry) : undefined
    const station = begun ?? last?.station ?? ARRIVAL
    const stretch = last?.station === station ? last : { station, at, took: 0, visits: new Map<string, Visiting>() }
    if (stretch !== last) stretches.push(stretch)
    const took = (entries[index + 1]?.at ?? entry.at) - entry.at
    stretch.took += took
    visit(stretch.visits, entry, at, took)
  }
  return stretches.map(({ visits, ...stretch }) => ({ ...stretch, files: [...visits.values()] }))
}

function visit(visits: Map<string, Visiting>, { called, thread }: Entry, at: number, took: number): void {
  const { file, line } = called
  const key = `${thread} ${file}`
  const first = { line, name: called.name ?? 'a function without a name' }
  const known = visits.get(key) ?? { file, first, thread, at, took: 0, calls: 0 }
  visits.set(key, known)
  known.took += took
  known.calls += 1
}

const STATION_BEGUN_BY = new Map(STATIONS.flatMap(({ name, begins }) => begins.map((begin) => [begin, name] as const)))

function stationBegunBy({ called: { file, name } }: Entry): string | undefined {
  return STATION_BEGUN_BY.get(`${file.slice(0, file.indexOf('/'))} ${name}`)
}
