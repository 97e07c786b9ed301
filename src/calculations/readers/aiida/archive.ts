import type { JsonObject } from '../../../kernel/json.ts'

/** Number of a node in its archive. */
export type NodeKey = number | string

/** A node of the provenance graph: data, or a process that made some. */
export interface AiidaNode {
  readonly key: NodeKey
  readonly uuid: string
  /** Class of the node: `StructureData`, `CalcJobNode`. */
  readonly type: string
  /** Entry point of the plugin of a process: `quantumespresso.pw`. */
  readonly plugin: string | undefined
  readonly label: string
}

/** A link from a node to the one that it leads to. */
export interface AiidaLink {
  readonly from: NodeKey
  readonly to: NodeKey
  readonly label: string
  readonly kind: LinkKind
}

export type LinkKind = 'input' | 'create' | 'return' | 'call'

/** All that an archive says of a node. */
export interface NodeContent {
  readonly attributes: JsonObject
  /** Description, times and extras. */
  readonly others: JsonObject
  /** Names of the files of the node. */
  readonly files: readonly string[]
  /** Names of what is too long to be read. */
  readonly leftOut: readonly string[]
}

/** An archive as far as it has to be kept in memory, and a way to the content of its nodes. */
export interface AiidaArchive {
  /** In the order of the archive. */
  readonly nodes: ReadonlyMap<NodeKey, AiidaNode>
  readonly links: readonly AiidaLink[]
  /** Names of what the archive has beside nodes and links. */
  readonly leftOut: readonly string[]
  readonly contentOf: (key: NodeKey) => NodeContent
}

/** The class in a node type, `data.core.structure.StructureData.`; of jobs of AiiDA before 1.0 that of a calculation job. */
export function classOf(nodeType: string): string {
  if (/^calculation\.job\./.test(nodeType)) return 'CalcJobNode'
  const name = nodeType.split('.').at(-2) ?? ''
  return name === 'ParameterData' ? 'Dict' : name
}

/** The entry point in a process type, `aiida.calculations:quantumespresso.pw`, or in a type of a job of AiiDA before 1.0. */
export function pluginOf(processType: string, nodeType: string): string | undefined {
  const [, plugin] = /^aiida\.(?:calculations|workflows|parsers):(\S+)$/.exec(processType) ?? []
  const [, earlier] = /^calculation\.job\.(\S+)\.\w+\.$/.exec(nodeType) ?? []
  return plugin ?? earlier
}

const LINK_KINDS: Readonly<Record<string, LinkKind>> = {
  input_calc: 'input',
  input_work: 'input',
  inputlink: 'input',
  create: 'create',
  createlink: 'create',
  return: 'return',
  returnlink: 'return',
  call_calc: 'call',
  call_work: 'call',
  calllink: 'call',
}

/** Kind of a link by its name in the archive; undefined where it is none of AiiDA's. */
export function linkKind(name: string): LinkKind | undefined {
  return Object.hasOwn(LINK_KINDS, name) ? LINK_KINDS[name] : undefined
}
