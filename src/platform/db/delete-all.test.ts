import { expect, test } from "vitest";
import { deleteAll, NotDeleted, runEach } from "./delete-all.ts";

/** Rows of which some cannot be deleted, in pages of 10. */
function table(count: number, stuck: readonly string[]) {
  const rows = new Set(Array.from({ length: count }, (_, at) => String(1_000 + at)));
  return {
    rows,
    deletion: {
      async next(after: string) {
        return [...rows].filter((id) => id > after).slice(0, 10);
      },
      async remove(ids: string[]) {
        if (ids.some((id) => stuck.includes(id))) throw new Error("the row is stuck");
        for (const id of ids) rows.delete(id);
      },
    },
  };
}

test("skips rows that cannot be deleted, deletes all others, and names what is left", async () => {
  const { rows, deletion } = table(45, ["1013", "1027"]);
  const failure = await deleteAll(deletion).catch((error: unknown) => error);
  expect(failure).toBeInstanceOf(NotDeleted);
  expect(String(failure)).toContain("the row is stuck");
  expect((failure as NotDeleted).ids).toEqual(["1013", "1027"]);
  expect([...rows]).toEqual(["1013", "1027"]);
});

test("ends when nothing at all can be deleted", async () => {
  const all = Array.from({ length: 1_000 }, (_, at) => String(1_000 + at));
  const { rows, deletion } = table(1_000, all);
  const count = rows.size;
  await expect(deleteAll(deletion)).rejects.toThrow("stuck");
  expect(rows.size).toBe(count);
});

test("an aborted deletion leaves the rest", async () => {
  const { rows, deletion } = table(30, []);
  const stop = new AbortController();
  const remove = async (ids: string[]) => {
    await deletion.remove(ids);
    stop.abort();
  };
  await deleteAll({ ...deletion, remove }, stop.signal);
  expect(rows.size).toBe(20);
});

test("a step that fails does not keep the others from running", async () => {
  const ran: number[] = [];
  const step =
    (number: number, fails = false) =>
    async () => {
      ran.push(number);
      if (fails) throw new Error(`step ${number}`);
    };
  await expect(runEach([step(1, true), step(2), step(3, true)])).rejects.toThrow(
    "step 1 step 3",
  );
  await runEach([step(4)]);
  expect(ran).toEqual([1, 2, 3, 4]);
});
