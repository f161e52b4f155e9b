/**
 * Edit distances on UTF-16 units, 32 cells of the matrix at a time. Sources: H. Hyyrö,
 * "Bit-parallel LCS-length computation revisited" (2004); G. Myers, "A fast bit-vector algorithm"
 * (1999) with Hyyrö's blocks (2003).
 */

/** The positions of each character of `pattern`, as bits. */
function positions(pattern: string, blocks: number): Map<number, Uint32Array> {
  const found = new Map<number, Uint32Array>();
  for (let index = 0; index < pattern.length; index += 1) {
    const code = pattern.charCodeAt(index);
    let bits = found.get(code);
    if (!bits) found.set(code, (bits = new Uint32Array(blocks)));
    const block = index >>> 5;
    bits[block] = ((bits[block] ?? 0) | (1 << (index & 31))) >>> 0;
  }
  return found;
}

/** Length of the longest common subsequence. */
export function commonLength(a: string, b: string): number {
  const blocks = (a.length + 31) >>> 5;
  const where = positions(a, blocks);
  const none = new Uint32Array(blocks);
  const row = new Uint32Array(blocks).fill(0xffffffff);
  for (let index = 0; index < b.length; index += 1) {
    const match = where.get(b.charCodeAt(index)) ?? none;
    let carry = 0;
    for (let block = 0; block < blocks; block += 1) {
      const bits = row[block] ?? 0;
      const kept = (bits & (match[block] ?? 0)) >>> 0;
      const sum = bits + kept + carry;
      carry = sum > 0xffffffff ? 1 : 0;
      row[block] = ((sum >>> 0) | (bits - kept)) >>> 0;
    }
  }
  let length = 0;
  for (let index = 0; index < a.length; index += 1)
    if ((((row[index >>> 5] ?? 0) >>> (index & 31)) & 1) === 0) length += 1;
  return length;
}

/** The minimum number of insertions, deletions and replacements that turn `a` into `b`. */
export function levenshtein(a: string, b: string): number {
  if (a === b) return 0;
  if (a.length === 0 || b.length === 0) return a.length + b.length;
  const blocks = (a.length + 31) >>> 5;
  const where = positions(a, blocks);
  const none = new Uint32Array(blocks);
  const plus = new Uint32Array(blocks).fill(0xffffffff);
  const minus = new Uint32Array(blocks);
  const last = 1 << ((a.length - 1) & 31);
  let distance = a.length;
  for (let index = 0; index < b.length; index += 1) {
    const match = where.get(b.charCodeAt(index)) ?? none;
    let plusIn = 1;
    let minusIn = 0;
    for (let block = 0; block < blocks; block += 1) {
      const up = plus[block] ?? 0;
      const down = minus[block] ?? 0;
      const equal = ((match[block] ?? 0) | minusIn) >>> 0;
      const vertical = ((match[block] ?? 0) | down) >>> 0;
      const sum = (((equal & up) >>> 0) + up) >>> 0;
      const diagonal = ((sum ^ up) | equal) >>> 0;
      let across = (down | ~(diagonal | up)) >>> 0;
      let back = (up & diagonal) >>> 0;
      if (block === blocks - 1) {
        if (across & last) distance += 1;
        else if (back & last) distance -= 1;
      }
      const plusOut = across >>> 31;
      const minusOut = back >>> 31;
      across = ((across << 1) | plusIn) >>> 0;
      back = ((back << 1) | minusIn) >>> 0;
      plus[block] = (back | ~(vertical | across)) >>> 0;
      minus[block] = (across & vertical) >>> 0;
      plusIn = plusOut;
      minusIn = minusOut;
    }
  }
  return distance;
}
