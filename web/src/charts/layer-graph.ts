export interface GraphNode {
  id: string;
  /** The nodes that come before it. */
  after: readonly string[];
}

export interface PlacedNode<Node> {
  node: Node;
  /** Counted from the start: one after the last of those before it. */
  column: number;
  row: number;
}

/** Places the nodes of a graph without cycles in columns, each after all that come before it. */
export function placeNodes<Node extends GraphNode>(
  nodes: readonly Node[],
): PlacedNode<Node>[] {
  const columns = new Map<string, number>();
  const known = new Map(nodes.map((node) => [node.id, node]));
  const columnOf = (id: string): number => {
    const found = columns.get(id);
    if (found !== undefined) return found;
    columns.set(id, 0); // a cycle, which no rule has, ends here
    const before = known.get(id)?.after.filter((other) => known.has(other)) ?? [];
    const column = Math.max(-1, ...before.map(columnOf)) + 1;
    columns.set(id, column);
    return column;
  };
  const filled = new Map<number, number>();
  return nodes.map((node) => {
    const column = columnOf(node.id);
    const row = filled.get(column) ?? 0;
    filled.set(column, row + 1);
    return { node, column, row };
  });
}
