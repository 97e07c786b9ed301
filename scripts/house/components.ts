/** Arrows: from each node to those that it needs. */
export type Graph = ReadonlyMap<string, ReadonlySet<string>>

/**
 * The strongly connected components of a graph (Tarjan), each after those that it needs. A component of several nodes is a cycle: each of
 * them needs each other, directly or round about.
 */
export function stronglyConnected(graph: Graph): readonly (readonly string[])[] {
  const order = new Map<string, number>()
  const lowest = new Map<string, number>()
  const open: string[] = []
  const components: string[][] = []

  function visit(node: string): number {
    const number = order.size
    order.set(node, number)
    let low = number
    open.push(node)
    for (const next of graph.get(node) ?? []) {
      if (!order.has(next)) low = Math.min(low, visit(next))
      else if (open.includes(next)) low = Math.min(low, order.get(next) ?? low)
    }
    lowest.set(node, low)
    if (low === number) components.push(open.splice(open.indexOf(node)).sort())
    return low
  }

  for (const node of graph.keys()) if (!order.has(node)) visit(node)
  return components
}

/** How many nodes the longest way along the arrows has. What goes round in a cycle is counted once. */
export function longestChain(graph: Graph): number {
  const lengths = new Map<string, number>()
  for (const component of stronglyConnected(graph)) {
    const onward = component.flatMap((node) => [...(graph.get(node) ?? [])]).filter((node) => !component.includes(node))
    const length = component.length + Math.max(0, ...onward.map((node) => lengths.get(node) ?? 0))
    for (const node of component) lengths.set(node, length)
  }
  return Math.max(0, ...lengths.values())
}
