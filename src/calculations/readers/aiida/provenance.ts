import type { AiidaArchive, AiidaLink, AiidaNode, NodeKey } from './archive.ts'

/** A node at the other end of a link. */
export interface LinkedNode {
  readonly label: string
  readonly node: AiidaNode
}

/** Runs of codes, and those that only call them or make data of data. */
const JOB = 'CalcJobNode'

/** Steps from calculation to calculation that are no runs of codes. */
const MOST_STEPS = 20

/** The graph of an archive by the processes in it. */
export class NodeOrigins {
  readonly #archive: AiidaArchive
  readonly #inputs = new Map<NodeKey, LinkedNode[]>()
  readonly #outputs = new Map<NodeKey, LinkedNode[]>()
  /** The process that made a node. */
  readonly #creators = new Map<NodeKey, AiidaNode>()
  readonly #returns = new Map<NodeKey, LinkedNode[]>()

  constructor(archive: AiidaArchive) {
    this.#archive = archive
    for (const link of archive.links) this.#add(link)
  }

  /** Processes that have results of their own: runs of codes, and work chains that return data which no process of the archive has made. */
  get calculations(): readonly AiidaNode[] {
    return [...this.#archive.nodes.values()].filter(({ key, type }) => {
      if (type === JOB) return this.#outputs.has(key)
      return type === 'WorkChainNode' && this.#ownReturns(key).length > 0
    })
  }

  inputsOf({ key }: AiidaNode): readonly LinkedNode[] {
    return this.#inputs.get(key) ?? []
  }

  outputsOf({ key, type }: AiidaNode): readonly LinkedNode[] {
    return type === JOB ? (this.#outputs.get(key) ?? []) : this.#ownReturns(key)
  }

  /** The ids of the calculations and structures that a process, or data, was made from. */
  madeFrom(node: AiidaNode): readonly string[] {
    const found = new Set<string>()
    const seen = new Set<NodeKey>([node.key])
    const creator = this.#creators.get(node.key)
    let processes = creator === undefined ? [node] : [creator]
    for (let step = 0; processes.length > 0 && step < MOST_STEPS; step++)
      processes = processes.flatMap((process) => this.#before(process, found, seen))
    return [...found]
  }

  /** Takes what a process was made from; gives the processes beyond, which are looked through too. */
  #before(process: AiidaNode, found: Set<string>, seen: Set<NodeKey>): readonly AiidaNode[] {
    return this.inputsOf(process).flatMap(({ node }) => {
      if (seen.has(node.key)) return []
      seen.add(node.key)
      if (node.type === 'StructureData') found.add(node.uuid)
      const creator = this.#creators.get(node.key)
      if (creator === undefined || seen.has(creator.key)) return []
      if (creator.type !== JOB) {
        seen.add(creator.key)
        return [creator]
      }
      found.add(creator.uuid)
      return []
    })
  }

  #ownReturns(key: NodeKey): readonly LinkedNode[] {
    return (this.#returns.get(key) ?? []).filter(({ node }) => !this.#creators.has(node.key))
  }

  #add({ from, to, label, kind }: AiidaLink): void {
    const [source, target] = [this.#archive.nodes.get(from), this.#archive.nodes.get(to)]
    if (source === undefined || target === undefined || kind === 'call') return
    if (kind === 'input') addTo(this.#inputs, to, { label, node: source })
    else if (kind === 'return') addTo(this.#returns, from, { label, node: target })
    else {
      addTo(this.#outputs, from, { label, node: target })
      this.#creators.set(to, source)
    }
  }
}

function addTo(map: Map<NodeKey, LinkedNode[]>, key: NodeKey, linked: LinkedNode): void {
  const known = map.get(key)
  if (known === undefined) map.set(key, [linked])
  else known.push(linked)
}
