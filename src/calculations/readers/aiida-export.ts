import { isJsonArray, isJsonObject, type Json, type JsonObject, ownField } from '../../kernel/json.ts'
import { Nesting } from '../../kernel/json-nesting.ts'
import { FORMAT_ERRORS, refusal } from '../../structure/errors.ts'
import { parseJson, wrongField } from '../../structure/formats/json/json-fields.ts'
import type { Calculation, OutputFormat, OutputLimits, OutputReader } from '../calculation.ts'
import {
  type AiidaArchive,
  type AiidaLink,
  type AiidaNode,
  classOf,
  linkKind,
  type NodeContent,
  type NodeKey,
  pluginOf,
} from './aiida/archive.ts'
import { calculationsOf } from './aiida/calculations.ts'
import { textOf } from './records/database-results.ts'

/** The `data.json` of archives of AiiDA before 2.0. */
export const aiidaExportFormat: OutputFormat = {
  name: 'aiida-export',
  title: 'data.json of an AiiDA archive',
  fileNames: /^data\.json$/,
  recognizes: (head) => /^\s*\{/.test(head) && /"(?:links_uuid|node_attributes|export_data)"\s*:/.test(head),
  source: { kind: 'text', open: (limits) => new ExportReader(limits) },
}

/** Characters of the whole document, which has to be in memory at once. */
const LONGEST = 64 * 1024 * 1024
const MOST_DEPTH = 100

class ExportReader implements OutputReader {
  readonly #limits: OutputLimits
  readonly #nesting = new Nesting()
  readonly #pieces: string[] = []
  #length = 0

  constructor(limits: OutputLimits) {
    this.#limits = limits
  }

  write(text: string): void {
    this.#length += text.length
    if (this.#length > LONGEST) {
      const message = `The document has more than ${LONGEST} characters, which is the most that can be read of it.`
      throw refusal(FORMAT_ERRORS.fileTooLarge, message, { hint: 'Convert the archive with "verdi archive migrate".' })
    }
    for (let at = 0; at < text.length; at++) {
      this.#nesting.read(text.charCodeAt(at))
      if (this.#nesting.depth > MOST_DEPTH)
        throw refusal(FORMAT_ERRORS.malformed, `More than ${MOST_DEPTH} levels are within each other.`)
    }
    this.#pieces.push(text)
  }

  end(): readonly Calculation[] {
    const document = parseJson(this.#pieces.join(''))
    if (!isJsonObject(document)) throw wrongField('The document', document, 'an object')
    return [...calculationsOf(archiveOf(document), this.#limits)]
  }
}

function archiveOf(document: JsonObject): AiidaArchive {
  const listed = objectAt(objectAt(document, 'export_data', ''), 'Node', 'export_data.')
  const attributes = objectAt(document, 'node_attributes', '')
  const extras = ownField(document, 'node_extras')
  const numbers = new Map<NodeKey, string>()
  const nodes = new Map<NodeKey, AiidaNode>()
  for (const [number, node] of Object.entries(listed)) {
    const path = `export_data.Node.${number}`
    const uuid = isJsonObject(node) ? textOf(ownField(node, 'uuid')) : undefined
    if (!isJsonObject(node) || uuid === undefined) throw wrongField(path, node, 'a node with its uuid')
    const type = textOf(ownField(node, 'node_type')) ?? textOf(ownField(node, 'type')) ?? ''
    numbers.set(uuid, number)
    nodes.set(uuid, {
      key: uuid,
      uuid,
      type: classOf(type),
      plugin: pluginOf(textOf(ownField(node, 'process_type')) ?? '', type),
      label: textOf(ownField(node, 'label')) ?? '',
    })
  }
  const contentOf = (key: NodeKey): NodeContent => {
    const number = numbers.get(key) ?? ''
    const { description, ctime, mtime } = fieldsOf(listed, number)
    const extra = isJsonObject(extras) ? fieldsOf(extras, number) : {}
    return {
      attributes: fieldsOf(attributes, number),
      others: { description: description ?? null, ctime: ctime ?? null, mtime: mtime ?? null, extras: extra },
      files: [],
      leftOut: [],
    }
  }
  return { nodes, links: linksOf(document), leftOut: othersOf(document), contentOf }
}

/** Parts of the document that are no nodes and no links between them, with the number of their members. */
const READ = ['export_data', 'node_attributes', 'node_extras', 'links_uuid']

function othersOf(document: JsonObject): readonly string[] {
  const parts = Object.entries(document).filter(([name]) => !READ.includes(name))
  const exported = Object.entries(objectAt(document, 'export_data', '')).filter(([name]) => name !== 'Node')
  return [...parts, ...exported.map(([name, value]) => [`export_data.${name}`, value] as const)].flatMap(
    ([name, value]) => {
      const count = isJsonArray(value) ? value.length : isJsonObject(value) ? Object.keys(value).length : 1
      return count === 0 ? [] : [`${name} (${count})`]
    },
  )
}

function linksOf(document: JsonObject): readonly AiidaLink[] {
  const links = ownField(document, 'links_uuid')
  if (!isJsonArray(links)) throw wrongField('links_uuid', links, 'a list')
  return links.flatMap((link, index) => {
    const path = `links_uuid[${index}]`
    if (!isJsonObject(link)) throw wrongField(path, link, 'an object')
    const [from, to] = [textOf(ownField(link, 'input')), textOf(ownField(link, 'output'))]
    if (from === undefined || to === undefined) throw wrongField(path, link, 'a link with its input and output')
    const kind = linkKind(textOf(ownField(link, 'type')) ?? '')
    return kind === undefined ? [] : [{ from, to, label: textOf(ownField(link, 'label')) ?? '', kind }]
  })
}

function objectAt(owner: JsonObject, key: string, path: string): JsonObject {
  const value = ownField(owner, key)
  if (isJsonObject(value)) return value
  throw wrongField(`${path}${key}`, value, 'an object')
}

function fieldsOf(owner: JsonObject, key: string): Readonly<Record<string, Json | undefined>> & JsonObject {
  const value = ownField(owner, key)
  return isJsonObject(value) ? value : {}
}
