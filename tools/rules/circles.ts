/**
 * Returns the cycles of a directed graph as paths along its edges. There is one for each group of nodes that reach each
 * other (Tarjan's strongly connected components).
 *
 * @see R. Tarjan, "Depth-first search and linear graph algorithms", SIAM J. Comput. 1(2), 1972
 */
export function findCircles(edges: ReadonlyMap<string, ReadonlySet<string>>): string[][] {
  const index = new Map<string, number>();
  const low = new Map<string, number>();
  const stack: string[] = [];
  const onStack = new Set<string>();
  const groups: string[][] = [];

  const walk = (node: string): void => {
    const mine = index.size;
    index.set(node, mine);
    low.set(node, mine);
    stack.push(node);
    onStack.add(node);
    for (const next of edges.get(node) ?? []) {
      if (!index.has(next)) {
        walk(next);
        low.set(node, Math.min(low.get(node) ?? mine, low.get(next) ?? mine));
      } else if (onStack.has(next)) {
        low.set(node, Math.min(low.get(node) ?? mine, index.get(next) ?? mine));
      }
    }
    if (low.get(node) !== mine) return;
    const group: string[] = [];
    for (let top = stack.pop(); top !== undefined; top = stack.pop()) {
      onStack.delete(top);
      group.push(top);
      if (top === node) break;
    }
    if (group.length > 1 || edges.get(node)?.has(node)) groups.push(group);
  };
  for (const node of edges.keys()) if (!index.has(node)) walk(node);
  return groups.map((group) => shortestRound(new Set(group), edges));
}

/** Returns the shortest cycle through the alphabetically first member of a group. */
function shortestRound(
  group: ReadonlySet<string>,
  edges: ReadonlyMap<string, ReadonlySet<string>>,
): string[] {
  const [start = ''] = [...group].sort();
  const cameFrom = new Map<string, string>();
  const queue = [start];
  for (let at = queue.shift(); at !== undefined; at = queue.shift()) {
    for (const next of edges.get(at) ?? []) {
      if (next === start) {
        const path = [at];
        for (let back = cameFrom.get(at); back !== undefined; back = cameFrom.get(back)) path.unshift(back);
        return path;
      }
      if (!group.has(next) || cameFrom.has(next)) continue;
      cameFrom.set(next, at);
      queue.push(next);
    }
  }
  return [start];
}
