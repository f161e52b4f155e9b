import { randomBytes } from "node:crypto";
import fc from "fast-check";
import { expect, test } from "vitest";
import { ROWS, vectorsInMemory } from "./vectors-in-memory.ts";

const DIMENSIONS = 16;
const NUMBER = fc.float({ min: -1, max: 1, noNaN: true });
const VECTOR = fc
  .array(NUMBER, { minLength: DIMENSIONS, maxLength: DIMENSIONS })
  .filter((numbers) => Math.hypot(...numbers) > 0.01)
  .map((numbers) => numbers.map((number) => number / Math.hypot(...numbers)));

interface Made {
  set: Buffer;
  vectors: { id: Buffer; vector: number[] }[];
}

function wantedOf(sets: readonly { set: Buffer; chunks: number }[]): Buffer {
  return Buffer.concat(
    sets.map(({ set, chunks }) => {
      const count = Buffer.alloc(4);
      count.writeUInt32BE(chunks);
      return Buffer.concat([set, count]);
    }),
  );
}
const whole = (sets: readonly Made[]) =>
  wantedOf(sets.map(({ set, vectors }) => ({ set, chunks: vectors.length })));
const aSet = (vectors: number[][]): Made => ({
  set: randomBytes(16),
  vectors: vectors.map((vector) => ({ id: randomBytes(16), vector })),
});
const hexOf = (id: string) => id.replaceAll("-", "");
const SETS = fc.noShrink(
  fc.array(fc.array(VECTOR, { minLength: 1, maxLength: 40 }).map(aSet), {
    minLength: 1,
    maxLength: 6,
  }),
);

function filled(sets: readonly Made[], dimensions = DIMENSIONS) {
  const memory = vectorsInMemory(dimensions);
  for (const { set, vectors } of sets)
    for (const { id, vector } of vectors) memory.add({ id, set, vector });
  return memory;
}

/** What the numbers lose when they have 8 bits, and those of the question 12. */
const LOSS = DIMENSIONS * (1 / 127 + 1 / 2_047);

test("finds the nearest of the wanted sets, as far as 8 bits show", () => {
  fc.assert(
    fc.property(SETS, VECTOR, fc.nat(), (sets, question, skipped) => {
      const wanted = sets.filter((_, n) => n !== skipped % (sets.length + 1));
      const { ids, lacking } = filled(sets).search(question, whole(wanted), 5);
      expect(lacking).toHaveLength(0);
      const score = (vector: number[]) =>
        vector.reduce((sum, number, n) => sum + number * (question[n] ?? 0), 0);
      const scores = new Map(
        wanted.flatMap(({ vectors }) =>
          vectors.map(({ id, vector }) => [id.toString("hex"), score(vector)] as const),
        ),
      );
      const best = [...scores.values()].toSorted((one, other) => other - one).slice(0, 5);
      expect(ids).toHaveLength(best.length);
      for (const id of ids)
        expect(scores.get(hexOf(id)) ?? -Infinity).toBeGreaterThanOrEqual(
          (best.at(-1) ?? 0) - LOSS,
        );
    }),
  );
});

test("a set that is forgotten leaves nothing, and its rows serve others", () => {
  fc.assert(
    fc.property(SETS, SETS, VECTOR, (sets, later, question) => {
      const memory = filled(sets);
      memory.forget(whole(sets));
      expect(memory.rows).toBe(0);
      expect(memory.blocks.every(({ bytes }) => bytes.every((byte) => byte === 0))).toBe(
        true,
      );
      for (const { set, vectors } of later)
        for (const { id, vector } of vectors) memory.add({ id, set, vector });
      expect(memory.blocks).toHaveLength(1);
      const { ids } = memory.search(question, whole([...sets, ...later]), 1_000);
      expect(ids.map(hexOf).sort()).toEqual(
        later.flatMap(({ vectors }) => vectors.map(({ id }) => id.toString("hex"))).sort(),
      );
    }),
  );
});

test("keeps the sets that it is asked to keep, in blocks that are read again too", () => {
  const sets = Array.from({ length: 5 }, () =>
    aSet(Array.from({ length: ROWS / 2 }, () => [...new Float32Array(4).map(Math.random)])),
  );
  const first = filled(sets, 4);
  const kept = sets.slice(1, 3);
  first.keep(whole(kept));
  const again = vectorsInMemory(4);
  for (const { bytes } of first.blocks)
    again.addBlock(Buffer.from(Uint8Array.from(bytes).buffer));
  for (const memory of [first, again]) {
    expect(memory.rows).toBe(ROWS);
    const { ids, lacking } = memory.search([1, 1, 1, 1], whole(sets), 5_000);
    expect(new Set(ids.map(hexOf))).toEqual(
      new Set(kept.flatMap(({ vectors }) => vectors.map(({ id }) => id.toString("hex")))),
    );
    expect(lacking).toEqual(whole(sets.filter((set) => !kept.includes(set))));
  }
});

test("a set with fewer vectors than chunks lacks, but for a while after it was read", () => {
  let time = 1_000_000;
  const memory = vectorsInMemory(2, () => time);
  const { set } = aSet([]);
  const wanted = wantedOf([{ set, chunks: 2 }]);
  memory.add({ id: randomBytes(16), set, vector: [1, 0] });
  expect(memory.lacking(wanted)).toEqual(wanted);
  memory.wereRead(wanted);
  expect(memory.lacking(wanted)).toHaveLength(0);
  time += 5_001;
  expect(memory.lacking(wanted)).toEqual(wanted);
  memory.add({ id: randomBytes(16), set, vector: [0, 1] });
  expect(memory.lacking(wanted)).toHaveLength(0);
});

test("a vector of zeros is found last and breaks nothing", () => {
  const sets = [
    aSet([
      [0, 0],
      [0.6, 0.8],
      [1, 0],
    ]),
  ];
  const { ids } = filled(sets, 2).search([1, 0], whole(sets), 3);
  expect(ids.map(hexOf)).toEqual(
    [2, 1, 0].map((n) => sets[0]?.vectors[n]?.id.toString("hex")),
  );
});
