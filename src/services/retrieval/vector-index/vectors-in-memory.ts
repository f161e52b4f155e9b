import { columnSums, toMultipliers } from "./column-sums.ts";

/** Rows of a block. */
export const ROWS = 1_024;
const ID_BYTES = 16;
const MAX_INT8 = 127;

/**
 * The vectors of some chunks. Numbers are 8 bits each and stand column by column: a question of few
 * words has few numbers that are not zero, and only their columns are read.
 */
export interface Block {
  /** All that is stored of it. */
  bytes: Buffer;
  numbers: Int8Array;
  /** Of the chunks, then of their sets; a row without one is free. */
  ids: Buffer;
  sets: Buffer;
  /** What a number 1 stands for. */
  scales: Float32Array;
  /** The number of each row's set here; 0 is none. */
  slots: Uint32Array;
}

/** A set of chunks, as far as it is in memory. */
interface KnownSet {
  slot: number;
  rows: number;
  /** When all that the database has of it was last read. */
  readAt: number;
}

export interface NewVector {
  id: Buffer;
  set: Buffer;
  vector: ArrayLike<number>;
}

/** How many chunks of a set there should be, with the set: 16 and 4 bytes. */
export const WANTED_BYTES = ID_BYTES + 4;
/** A set that has fewer vectors than chunks is not read again before. */
const INCOMPLETE_MS = 5_000;

export interface Neighbours {
  /** The ids of chunks, the nearest first. */
  ids: string[];
  /** Those of the wanted sets of which vectors lack. */
  lacking: Buffer;
}

export function blockBytes(dimensions: number): number {
  return ROWS * (dimensions + 2 * ID_BYTES + Float32Array.BYTES_PER_ELEMENT);
}

export function vectorsInMemory(dimensions: number, now = Date.now) {
  const blocks: Block[] = [];
  const sets = new Map<string, KnownSet>();
  const rowsOfSlots: (number[] | undefined)[] = [undefined];
  const freeSlots: number[] = [];
  const freeRows: number[] = [];
  const changed = new Set<Block>();
  const sums = columnSums(ROWS);

  /** Takes a block as it was stored. */
  function addBlock(bytes = Buffer.from(new ArrayBuffer(blockBytes(dimensions)))): void {
    const at = (offset: number) => bytes.byteOffset + ROWS * offset;
    const block: Block = {
      bytes,
      numbers: new Int8Array(bytes.buffer, at(0), ROWS * dimensions),
      ids: Buffer.from(bytes.buffer, at(dimensions), ROWS * ID_BYTES),
      sets: Buffer.from(bytes.buffer, at(dimensions + ID_BYTES), ROWS * ID_BYTES),
      scales: new Float32Array(bytes.buffer, at(dimensions + 2 * ID_BYTES), ROWS),
      slots: new Uint32Array(ROWS),
    };
    const first = blocks.push(block) * ROWS - ROWS;
    for (let row = ROWS - 1; row >= 0; row -= 1) {
      const key = keyAt(block.sets, row * ID_BYTES);
      if (key === NO_SET) freeRows.push(first + row);
      else take(block, first + row, key);
    }
  }

  function knownSet(key: string): KnownSet {
    const known = sets.get(key);
    if (known) return known;
    const slot = freeSlots.pop() ?? rowsOfSlots.length;
    rowsOfSlots[slot] = [];
    const made = { slot, rows: 0, readAt: 0 };
    sets.set(key, made);
    return made;
  }

  function take(block: Block, row: number, key: string): void {
    const known = knownSet(key);
    known.rows += 1;
    rowsOfSlots[known.slot]?.push(row);
    block.slots[row % ROWS] = known.slot;
  }

  function forget(key: string): void {
    const known = sets.get(key);
    if (!known) return;
    for (const row of rowsOfSlots[known.slot] ?? []) {
      const block = blocks[Math.floor(row / ROWS)];
      if (block) clear(block, row % ROWS);
      freeRows.push(row);
    }
    rowsOfSlots[known.slot] = undefined;
    freeSlots.push(known.slot);
    sets.delete(key);
  }

  /** Also of what it said: nothing of a deleted document stays. */
  function clear(block: Block, at: number): void {
    for (let column = 0; column < dimensions; column += 1)
      block.numbers[column * ROWS + at] = 0;
    block.ids.fill(0, at * ID_BYTES, (at + 1) * ID_BYTES);
    block.sets.fill(0, at * ID_BYTES, (at + 1) * ID_BYTES);
    block.scales[at] = 0;
    block.slots[at] = 0;
    changed.add(block);
  }

  function add({ id, set, vector }: NewVector): void {
    if (freeRows.length === 0) addBlock();
    const row = freeRows.pop() ?? 0;
    const block = blocks[Math.floor(row / ROWS)];
    if (!block) return;
    const at = row % ROWS;
    let greatest = 0;
    for (let column = 0; column < dimensions; column += 1)
      greatest = Math.max(greatest, Math.abs(vector[column] ?? 0));
    const scale = greatest / MAX_INT8;
    if (scale > 0)
      for (let column = 0; column < dimensions; column += 1)
        block.numbers[column * ROWS + at] = Math.round((vector[column] ?? 0) / scale);
    block.scales[at] = scale;
    id.copy(block.ids, at * ID_BYTES);
    set.copy(block.sets, at * ID_BYTES);
    take(block, row, keyAt(set, 0));
    changed.add(block);
  }

  /** Returns which slots are wanted, and the wanted sets that are not here as a whole. */
  function want(wanted: Buffer): { isWanted: Uint8Array; lacking: Buffer } {
    const isWanted = new Uint8Array(rowsOfSlots.length);
    const lacking: Buffer[] = [];
    const recent = now() - INCOMPLETE_MS;
    for (let at = 0; at < wanted.length; at += WANTED_BYTES) {
      const known = sets.get(keyAt(wanted, at));
      if (known) isWanted[known.slot] = 1;
      const isWhole = known && known.rows >= wanted.readUInt32BE(at + ID_BYTES);
      if (!isWhole && !(known && known.readAt > recent))
        lacking.push(wanted.subarray(at, at + WANTED_BYTES));
    }
    return { isWanted, lacking: Buffer.concat(lacking) };
  }

  return {
    blocks,
    changed,
    addBlock,
    add,
    get rows() {
      return blocks.length * ROWS - freeRows.length;
    },
    forget(forgotten: Buffer): void {
      for (let at = 0; at < forgotten.length; at += WANTED_BYTES)
        forget(keyAt(forgotten, at));
    },
    lacking: (wanted: Buffer): Buffer => want(wanted).lacking,
    /** Forgets all other sets. */
    keep(wanted: Buffer): void {
      const keys = new Set<string>();
      for (let at = 0; at < wanted.length; at += WANTED_BYTES) keys.add(keyAt(wanted, at));
      for (const key of sets.keys()) if (!keys.has(key)) forget(key);
    },
    /** Notes that the database has no more of these sets. */
    wereRead(read: Buffer): void {
      for (let at = 0; at < read.length; at += WANTED_BYTES)
        knownSet(keyAt(read, at)).readAt = now();
    },
    /** The wanted sets' chunks that are nearest by the cosine, by numbers of 8 bits. */
    search(vector: ArrayLike<number>, wanted: Buffer, limit: number): Neighbours {
      const { isWanted, lacking } = want(wanted);
      const nearest = bestOf(limit);
      const question = toMultipliers(vector);
      for (const [index, { numbers, scales, slots }] of blocks.entries()) {
        if (!slots.some((slot) => isWanted[slot] === 1)) continue;
        const scores = sums(numbers, question);
        for (let row = 0; row < ROWS; row += 1)
          if (isWanted[slots[row] ?? 0] === 1)
            nearest.offer(index * ROWS + row, (scores[row] ?? 0) * (scales[row] ?? 0));
      }
      return { ids: nearest.rows().map(idOf), lacking };
    },
  };

  function idOf(row: number): string {
    const at = (row % ROWS) * ID_BYTES;
    const hex =
      blocks[Math.floor(row / ROWS)]?.ids.toString("hex", at, at + ID_BYTES) ?? "";
    return hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, "$1-$2-$3-$4-$5");
  }
}

const NO_SET = "\0".repeat(ID_BYTES);

function keyAt(bytes: Buffer, at: number): string {
  return bytes.toString("latin1", at, at + ID_BYTES);
}

/** Keeps the best of what is offered. */
function bestOf(limit: number) {
  let kept: { row: number; score: number }[] = [];
  let least = -Infinity;
  const sort = () => {
    kept = kept.sort((one, other) => other.score - one.score).slice(0, limit);
    if (kept.length === limit) least = kept.at(-1)?.score ?? least;
  };
  return {
    offer(row: number, score: number): void {
      if (score <= least) return;
      kept.push({ row, score });
      // seldom: sorting twice as many costs less than a place for each
      if (kept.length >= 2 * limit) sort();
    },
    rows(): number[] {
      sort();
      return kept.map(({ row }) => row);
    },
  };
}
