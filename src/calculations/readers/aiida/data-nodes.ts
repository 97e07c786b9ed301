import { isJsonArray, type Json, type JsonObject, ownField } from '../../../kernel/json.ts'
import type { Potential } from '../../calculation.ts'
import { textOf } from '../records/database-results.ts'
import type { AiidaArchive, AiidaNode, NodeContent } from './archive.ts'
import type { LinkedNode } from './provenance.ts'

/** Data nodes of one side of a process, sorted by what can be read of them. */
export interface DataNodes {
  readonly structures: readonly LinkedNode[]
  /** Parameters and plain values by the labels of their links. */
  readonly values: ReadonlyMap<string, Json>
  /** Labels of those that are `Dict`s, whose fields are taken by themselves. */
  readonly parameters: readonly (readonly [label: string, parameters: JsonObject])[]
  readonly potentials: readonly Potential[]
  /** Plugin that the code of the process is for. */
  readonly plugin: string | undefined
  /** Names of what is not read: `output_trajectory.forces (1 × 5 × 3)`. */
  readonly leftOut: readonly string[]
}

/** Kinds of data that are one value. */
const PLAIN = ['Int', 'Float', 'Str', 'Bool', 'EnumData']

const ARRAY = 'array|'

/** Reads the data on one side of a process; what is in files of the archive is named. */
export function readDataNodes(linked: readonly LinkedNode[], archive: AiidaArchive): DataNodes {
  const structures: LinkedNode[] = []
  const values = new Map<string, Json>()
  const parameters: (readonly [string, JsonObject])[] = []
  const potentials: Potential[] = []
  const leftOut: string[] = []
  let plugin: string | undefined
  for (const { label, node } of linked) {
    if (node.type === 'StructureData') {
      structures.push({ label, node })
      continue
    }
    const content = archive.contentOf(node.key)
    leftOut.push(...content.leftOut.map((name) => `${label}.${name}`))
    const potential = node.type === 'UpfData' ? upfOf(content.attributes) : undefined
    const value = plainValue(node, content.attributes)
    if (node.type.endsWith('Code')) plugin ??= textOf(ownField(content.attributes, 'input_plugin'))
    if (node.type === 'Dict') parameters.push([label, content.attributes])
    else if (value !== undefined) values.set(label, value)
    else if (potential !== undefined) potentials.push(potential)
    else leftOut.push(...namesOf(label, node.type, content))
  }
  return { structures, values, parameters, potentials, plugin, leftOut }
}

/** The value that a node of plain data is; a code is its label. */
function plainValue({ type, label }: AiidaNode, attributes: JsonObject): Json | undefined {
  if (PLAIN.includes(type)) return ownField(attributes, 'value') ?? null
  if (type === 'List') return ownField(attributes, 'list') ?? null
  if (type === 'KpointsData' && ownField(attributes, 'mesh') !== undefined) return attributes
  return type.endsWith('Code') ? label : undefined
}

function upfOf(attributes: JsonObject): Potential | undefined {
  const element = textOf(ownField(attributes, 'element'))
  const title = textOf(ownField(attributes, 'filename')) ?? textOf(ownField(attributes, 'md5'))
  return element === undefined || title === undefined ? undefined : { element, title }
}

/** Names of the arrays of a node with their shapes, of its files, or its class where it has neither. */
function namesOf(label: string, type: string, { attributes, files }: NodeContent): readonly string[] {
  const arrays = Object.entries(attributes).flatMap(([key, shape]) => {
    if (!key.startsWith(ARRAY)) return []
    const sizes = isJsonArray(shape) ? shape.filter((size) => typeof size === 'number').join(' × ') : ''
    return [`${label}.${key.slice(ARRAY.length)} (${sizes})`]
  })
  if (arrays.length > 0) return arrays
  return files.length > 0 ? files.map((file) => `${label}/${file}`) : [`${label} (${type})`]
}
