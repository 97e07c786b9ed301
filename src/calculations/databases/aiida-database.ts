import type Database from 'better-sqlite3'
import { isJsonObject, type JsonObject, ownField } from '../../kernel/json.ts'
import { Nesting } from '../../kernel/json-nesting.ts'
import { FORMAT_ERRORS, refusal } from '../../structure/errors.ts'
import { shorten } from '../../structure/formats/common/text.ts'
import type { Calculation, OutputFormat, OutputLimits, StoredOutput } from '../calculation.ts'
import {
  type AiidaArchive,
  type AiidaLink,
  type AiidaNode,
  classOf,
  linkKind,
  type NodeContent,
  type NodeKey,
  pluginOf,
} from '../readers/aiida/archive.ts'
import { calculationsOf } from '../readers/aiida/calculations.ts'
import { openUntrusted, requireTables, SQLITE_MAGIC, toldOf } from './untrusted-database.ts'

/** The `db.sqlite3` of archives of AiiDA since 2.0. */
export const aiidaDatabaseFormat: OutputFormat = {
  name: 'aiida-database',
  title: 'Database of an AiiDA archive',
  fileNames: /^db\.sqlite3$/,
  recognizes: mayBeArchive,
  source: { kind: 'file', read: readDatabase },
}

/** Tells by the names of its tables, where they are at the beginning: the schema of an archive is longer than a page, and most of it is anywhere in the file. */
function mayBeArchive(head: string): boolean {
  return head.startsWith(SQLITE_MAGIC) && (head.includes('db_dbnode') || !head.includes('CREATE TABLE'))
}

/** Nodes, and links, of one archive: all are looked through at once. */
const MOST_NODES = 1_000_000
const MOST_LINKS = 4_000_000
/** Bytes of the JSON of one node. */
const LONGEST_JSON = 16 * 1024 * 1024
/** Characters of names. */
const LONGEST_TEXT = 255

/** Reads an archive's database, which anybody may have made: nothing in it is run, and nothing is read before its length is known. */
async function* readDatabase(output: StoredOutput, limits: OutputLimits): AsyncGenerator<Calculation> {
  const database = await openUntrusted(output)
  try {
    requireTables(database, TABLES)
    yield* calculationsOf(archiveOf(database), limits)
  } catch (error) {
    throw toldOf(error)
  } finally {
    database.close()
  }
}

/** Columns that are read of each table. */
const TABLES: Readonly<Record<string, readonly string[]>> = {
  db_dbnode: [
    'id',
    'uuid',
    'node_type',
    'process_type',
    'label',
    'description',
    'ctime',
    'mtime',
    'attributes',
    'extras',
    'repository_metadata',
  ],
  db_dblink: ['id', 'input_id', 'output_id', 'label', 'type'],
}

function archiveOf(database: Database.Database): AiidaArchive {
  return {
    nodes: nodesOf(database),
    links: linksOf(database),
    leftOut: othersOf(database),
    contentOf: contentReader(database),
  }
}

/** A text that is short enough to be read, else nothing. */
function shortText(column: string): string {
  return `CASE WHEN typeof(${column}) = 'text' AND octet_length(${column}) <= ${4 * LONGEST_TEXT} THEN ${column} ELSE '' END AS ${column}`
}

interface NodeRow {
  readonly id: number
  readonly uuid: string
  readonly node_type: string
  readonly process_type: string
  readonly label: string
}

function nodesOf(database: Database.Database): ReadonlyMap<NodeKey, AiidaNode> {
  const columns = ['uuid', 'node_type', 'process_type', 'label'].map(shortText).join(', ')
  const rows = database.prepare<[], NodeRow>(`SELECT id, ${columns} FROM db_dbnode LIMIT ${MOST_NODES + 1}`)
  const nodes = new Map<NodeKey, AiidaNode>()
  for (const { id, uuid, node_type: type, process_type: process, label } of rows.iterate())
    nodes.set(id, { key: id, uuid, type: classOf(type), plugin: pluginOf(process, type), label })
  if (nodes.size > MOST_NODES) throw tooMany('nodes', MOST_NODES)
  return nodes
}

interface LinkRow {
  readonly input_id: number
  readonly output_id: number
  readonly label: string
  readonly type: string
}

function linksOf(database: Database.Database): readonly AiidaLink[] {
  const columns = `input_id, output_id, ${shortText('label')}, ${shortText('type')}`
  const rows = database.prepare<[], LinkRow>(`SELECT ${columns} FROM db_dblink LIMIT ${MOST_LINKS + 1}`)
  const links: AiidaLink[] = []
  const names = new Map<string, string>()
  for (const { input_id: from, output_id: to, label, type } of rows.iterate()) {
    const kind = linkKind(type)
    // Labels are few: each is kept once.
    const name = names.get(label) ?? label
    if (names.size < MOST_NODES) names.set(name, name)
    if (kind !== undefined) links.push({ from, to, label: name, kind })
  }
  if (links.length > MOST_LINKS) throw tooMany('links', MOST_LINKS)
  return links
}

function tooMany(what: string, most: number): Error {
  const message = `The archive has more than ${most} ${what}, which is the most that can be looked through.`
  return refusal(FORMAT_ERRORS.tooManyFrames, message, { hint: 'Export it in parts.' })
}

const MOST_TABLES = 60

/** Names of the other tables, with their rows. */
function othersOf(database: Database.Database): readonly string[] {
  const names = database
    .prepare<[], string>(
      `SELECT ${shortText('name')} FROM sqlite_schema WHERE type = 'table' AND rootpage > 0 LIMIT ${MOST_TABLES}`,
    )
    .pluck()
    .all()
  return names.flatMap((name) => {
    if (name in TABLES || /^sqlite_/.test(name) || name === '') return []
    const rows =
      database
        .prepare<[], number>(`SELECT count(*) FROM "${name.replace(/"/g, '""')}"`)
        .pluck()
        .get() ?? 0
    return rows === 0 ? [] : [`${shorten(name)} (${rows})`]
  })
}

/** JSON columns of a node, with the lengths of those that are too long. */
interface ContentRow {
  readonly description: string
  readonly ctime: string
  readonly mtime: string
  readonly attributes: string | null
  readonly extras: string | null
  readonly repository_metadata: string | null
  readonly attributes_length: number | null
  readonly extras_length: number | null
  readonly repository_metadata_length: number | null
}

const JSON_COLUMNS = ['attributes', 'extras', 'repository_metadata'] as const

function contentReader(database: Database.Database): AiidaArchive['contentOf'] {
  const json = JSON_COLUMNS.map(
    (column) =>
      `CASE WHEN typeof(${column}) = 'text' AND octet_length(${column}) <= ${LONGEST_JSON} THEN ${column} END AS ${column}, octet_length(${column}) AS ${column}_length`,
  )
  const columns = [...['description', 'ctime', 'mtime'].map(shortText), ...json].join(', ')
  const select = database.prepare<[NodeKey], ContentRow>(`SELECT ${columns} FROM db_dbnode WHERE id = ?`)
  return (key) => {
    const row = select.get(key)
    return row === undefined ? NO_CONTENT : contentOf(row)
  }
}

const NO_CONTENT: NodeContent = { attributes: {}, others: {}, files: [], leftOut: [] }

function contentOf(row: ContentRow): NodeContent {
  const leftOut: string[] = []
  const [attributes = {}, extras = {}, repository = {}] = JSON_COLUMNS.map((column) => {
    const length = row[`${column}_length`] ?? 0
    const value = objectOf(row[column])
    if (value === undefined && length > 0) leftOut.push(`${column} (${length} bytes)`)
    return value
  })
  const { description, ctime, mtime } = row
  return { attributes, others: { description, ctime, mtime, extras }, files: filesOf(repository), leftOut }
}

const MOST_DEPTH = 100

/** An object as JSON has it; nothing of what is none, or has more levels within each other than anything needs. */
function objectOf(text: string | null): JsonObject | undefined {
  if (text === null) return undefined
  const nesting = new Nesting()
  for (let at = 0; at < text.length; at++) {
    nesting.read(text.charCodeAt(at))
    if (nesting.depth > MOST_DEPTH) return undefined
  }
  try {
    const value: unknown = JSON.parse(text)
    return isJsonObject(value) ? value : undefined
  } catch {
    return undefined
  }
}

const MOST_FILES = 60

/** Paths in the repository of a node: `o` has what is in a folder. */
function filesOf(repository: JsonObject): readonly string[] {
  const files: string[] = []
  const gather = (folder: JsonObject, path: string): void => {
    const entries = ownField(folder, 'o')
    for (const [name, entry] of isJsonObject(entries) ? Object.entries(entries) : []) {
      if (files.length >= MOST_FILES) return
      if (isJsonObject(entry) && ownField(entry, 'o') !== undefined) gather(entry, `${path}${name}/`)
      else files.push(`${path}${name}`)
    }
  }
  gather(repository, '')
  return files
}
