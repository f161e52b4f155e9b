/** An ordered tree whose nodes are compared by the caller. */
export interface Tree<Value> {
  value: Value;
  children: Tree<Value>[];
}

interface Flat<Value> {
  values: Value[];
  /** For each node in postorder, the index of its leftmost leaf. */
  leftmost: number[];
  keyroots: number[];
}

function flatten<Value>(tree: Tree<Value>): Flat<Value> {
  const values: Value[] = [];
  const leftmost: number[] = [];
  const visit = (node: Tree<Value>): number => {
    let first = -1;
    for (const child of node.children) {
      const leaf = visit(child);
      if (first < 0) first = leaf;
    }
    values.push(node.value);
    const leaf = first < 0 ? values.length - 1 : first;
    leftmost.push(leaf);
    return leaf;
  };
  visit(tree);
  const last = new Map<number, number>();
  for (const [index, leaf] of leftmost.entries()) last.set(leaf, index);
  return { values, leftmost, keyroots: [...last.values()].toSorted((a, b) => a - b) };
}

export const sizeOf = <Value>(tree: Tree<Value>): number =>
  1 + tree.children.reduce((sum, child) => sum + sizeOf(child), 0);

/**
 * The minimum cost of insertions, deletions (1 each) and replacements that turn one ordered tree
 * into the other. Source: K. Zhang, D. Shasha, "Simple fast algorithms for the editing distance
 * between trees" (1989).
 */
export function treeEditDistance<Value>(
  a: Tree<Value>,
  b: Tree<Value>,
  replace: (a: Value, b: Value) => number,
): number {
  const one = flatten(a);
  const two = flatten(b);
  const columns = two.values.length;
  const distance = new Float64Array(one.values.length * columns);
  for (const i of one.keyroots)
    for (const j of two.keyroots) forest(one, two, i, j, distance, replace);
  return distance[distance.length - 1] ?? 0;
}

function forest<Value>(
  one: Flat<Value>,
  two: Flat<Value>,
  i: number,
  j: number,
  distance: Float64Array,
  replace: (a: Value, b: Value) => number,
): void {
  const fromI = one.leftmost[i] ?? 0;
  const fromJ = two.leftmost[j] ?? 0;
  const height = i - fromI + 2;
  const width = j - fromJ + 2;
  const columns = two.values.length;
  const costs = new Float64Array(height * width);
  const at = (x: number, y: number) => costs[x * width + y] ?? 0;
  for (let x = 1; x < height; x += 1) costs[x * width] = x;
  for (let y = 1; y < width; y += 1) costs[y] = y;
  for (let x = 1; x < height; x += 1) {
    for (let y = 1; y < width; y += 1) {
      const p = fromI + x - 1;
      const q = fromJ + y - 1;
      const edge = Math.min(at(x - 1, y), at(x, y - 1)) + 1;
      const leafP = one.leftmost[p] ?? 0;
      const leafQ = two.leftmost[q] ?? 0;
      if (leafP === fromI && leafQ === fromJ) {
        // both indexes are within the trees
        const cost = Math.min(
          edge,
          at(x - 1, y - 1) + replace(one.values[p] as Value, two.values[q] as Value),
        );
        costs[x * width + y] = cost;
        distance[p * columns + q] = cost;
      } else
        costs[x * width + y] = Math.min(
          edge,
          at(leafP - fromI, leafQ - fromJ) + (distance[p * columns + q] ?? 0),
        );
    }
  }
}
