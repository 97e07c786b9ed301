import Database from 'better-sqlite3'

/** A node of an archive that is made for a test. */
export interface TestNode {
  readonly uuid: string
  readonly type: string
  readonly process?: string
  readonly label?: string
  readonly attributes: object
  readonly files?: object
}

export interface TestArchive {
  readonly nodes: readonly TestNode[]
  /** From, to, label, kind. */
  readonly links: readonly (readonly [from: string, to: string, label: string, kind: string])[]
}

/** The archive as the `data.json` of AiiDA before 2.0. */
export function asExport({ nodes, links }: TestArchive): string {
  const numbered = nodes.map((node, index) => [String(index + 1), node] as const)
  return JSON.stringify({
    links_uuid: links.map(([input, output, label, type]) => ({ input, output, label, type })),
    groups_uuid: { 'group-1': [] },
    export_data: {
      Node: Object.fromEntries(
        numbered.map(([key, { uuid, type, process, label }]) => [
          key,
          { uuid, node_type: type, process_type: process ?? '', label: label ?? '', ctime: '2024-01-01T00:00:00.5' },
        ]),
      ),
      User: { 1: { email: 'somebody' } },
    },
    node_attributes: Object.fromEntries(numbered.map(([key, { attributes }]) => [key, attributes])),
    node_extras: Object.fromEntries(numbered.map(([key]) => [key, {}])),
  })
}

const SCHEMA = `
  CREATE TABLE db_dbuser (id INTEGER NOT NULL, email VARCHAR(254), PRIMARY KEY (id));
  CREATE TABLE db_dbnode (id INTEGER NOT NULL, uuid CHAR(36), node_type VARCHAR(255), process_type VARCHAR(255), label VARCHAR(255),
    description TEXT, ctime DATETIME, mtime DATETIME, attributes JSON, extras JSON, repository_metadata JSON DEFAULT '{}' NOT NULL,
    PRIMARY KEY (id), UNIQUE (uuid));
  CREATE TABLE db_dblink (id INTEGER NOT NULL, input_id INTEGER, output_id INTEGER, label VARCHAR(255) NOT NULL, type VARCHAR(255), PRIMARY KEY (id));
`

/** Writes the archive as the `db.sqlite3` of AiiDA since 2.0; `change` runs at the end. */
export function writeDatabase(path: string, { nodes, links }: TestArchive, change = ''): void {
  const database = new Database(path)
  database.exec(SCHEMA)
  database.exec("INSERT INTO db_dbuser VALUES (1, 'somebody')")
  const ids = new Map(nodes.map(({ uuid }, index) => [uuid, index + 1]))
  const node = database.prepare(
    "INSERT INTO db_dbnode VALUES (?, ?, ?, ?, ?, '', '2024-01-01 00:00:00.5', '2024-01-01 00:00:00.5', ?, '{}', ?)",
  )
  for (const { uuid, type, process, label, attributes, files } of nodes)
    node.run(
      ids.get(uuid),
      uuid,
      type,
      process ?? null,
      label ?? '',
      JSON.stringify(attributes),
      JSON.stringify(files ?? {}),
    )
  const link = database.prepare('INSERT INTO db_dblink (input_id, output_id, label, type) VALUES (?, ?, ?, ?)')
  for (const [from, to, label, kind] of links) link.run(ids.get(from), ids.get(to), label, kind)
  if (change !== '') database.exec(change)
  database.close()
}

/** A cube with two kinds of one element, and a hole. */
export function structureNode(uuid: string, length: number): TestNode {
  return {
    uuid,
    type: 'data.core.structure.StructureData.',
    label: `cube ${uuid}`,
    attributes: {
      cell: [
        [length, 0, 0],
        [0, length, 0],
        [0, 0, length],
      ],
      pbc1: true,
      pbc2: true,
      pbc3: true,
      kinds: [
        { name: 'Fe1', symbols: ['Fe'], weights: [1], mass: 55.845 },
        { name: 'Fe2', symbols: ['Fe'], weights: [1], mass: 55.845 },
        { name: 'OX', symbols: ['O'], weights: [0.5], mass: 8 },
      ],
      sites: [
        { kind_name: 'Fe1', position: [0, 0, 0] },
        { kind_name: 'Fe2', position: [length / 2, length / 2, length / 2] },
        { kind_name: 'OX', position: [length / 2, 0, 0] },
      ],
    },
  }
}

export function dictNode(uuid: string, attributes: object): TestNode {
  return { uuid, type: 'data.core.dict.Dict.', attributes }
}

export function jobNode(uuid: string, plugin: string, attributes: object = {}): TestNode {
  return {
    uuid,
    type: 'process.calculation.calcjob.CalcJobNode.',
    process: `aiida.calculations:${plugin}`,
    attributes: { process_state: 'finished', exit_status: 0, ...attributes },
  }
}
