import { FORMAT_ERRORS, refusal } from '../../../structure/errors.ts'
import type { Calculation, OutputLimits } from '../../calculation.ts'
import type { AiidaArchive, AiidaNode, NodeKey } from './archive.ts'
import { NodeReader } from './node-reader.ts'
import { NodeOrigins } from './provenance.ts'

/** Calculations of an archive: runs of codes, and the structures that no run has taken or made. Refuses an archive that has neither. */
export function* calculationsOf(archive: AiidaArchive, limits: OutputLimits): Generator<Calculation> {
  const provenance = new NodeOrigins(archive)
  const processes = provenance.calculations
  const used = new Set<NodeKey>(
    processes.flatMap((process) => [
      process.key,
      ...[...provenance.inputsOf(process), ...provenance.outputsOf(process)].map(({ node }) => node.key),
    ]),
  )
  const structures = [...archive.nodes.values()].filter(({ key, type }) => type === 'StructureData' && !used.has(key))
  for (const { key } of structures) used.add(key)
  const count = processes.length + structures.length
  if (count === 0) throw refusal(FORMAT_ERRORS.noStructure, 'The archive has no calculation and no structure.')
  if (count > limits.calculations) throw tooMany(count, limits.calculations)
  const reader = new NodeReader(archive, provenance, limits)
  let unused = [...unusedNodes(archive, used), ...archive.leftOut]
  for (const calculation of all(reader, processes, structures)) {
    yield withLeftOut(calculation, unused)
    unused = []
  }
}

function* all(
  reader: NodeReader,
  processes: readonly AiidaNode[],
  structures: readonly AiidaNode[],
): Generator<Calculation> {
  for (const process of processes) yield reader.readProcess(process)
  for (const structure of structures) yield reader.readStructure(structure)
}

/** Names of the nodes that no calculation has, by their classes. */
function unusedNodes({ nodes }: AiidaArchive, used: ReadonlySet<NodeKey>): string[] {
  const counts = new Map<string, number>()
  for (const { key, type } of nodes.values()) if (!used.has(key)) counts.set(type, (counts.get(type) ?? 0) + 1)
  return [...counts].map(([type, count]) => `nodes of ${type} (${count})`)
}

function withLeftOut(calculation: Calculation, names: readonly string[]): Calculation {
  if (names.length === 0) return calculation
  const { values, leftOut } = calculation.rest
  return { ...calculation, rest: { values, leftOut: [...leftOut, ...names] } }
}

function tooMany(count: number, most: number): Error {
  const message = `The archive has ${count} calculations; at most ${most} can be read of one file.`
  return refusal(FORMAT_ERRORS.tooManyFrames, message, { hint: 'Export it in parts.' })
}
