import { InfiniteQueryObserver, QueryObserver } from "@tanstack/react-query";
import { expect, onTestFinished, test, vi } from "vitest";

vi.stubGlobal("localStorage", { getItem: () => null, setItem: () => {} });
const { createQueryClient } = await import("./query-client.ts");

/** Answers one reading after the other, each when it is let. */
function heldReadings() {
  const held: PromiseWithResolvers<string>[] = [];
  const read = () => {
    const next = Promise.withResolvers<string>();
    held.push(next);
    return next.promise;
  };
  const answer = async (index: number, value: string) => {
    await vi.waitFor(() => expect(held.length).toBeGreaterThan(index));
    held[index]?.resolve(value);
  };
  return { held, read, answer };
}

test("what changes while it is first read is read again, once for all changes", async () => {
  const client = createQueryClient();
  const { held, read, answer } = heldReadings();
  const observer = new QueryObserver(client, { queryKey: ["note"], queryFn: read });
  onTestFinished(observer.subscribe(() => {}));
  const changes = [1, 2, 3].map(() => client.invalidateQueries({ queryKey: ["note"] }));
  await answer(0, "before");
  await answer(1, "after");
  await Promise.all(changes);
  expect(observer.getCurrentResult().data).toBe("after");
  expect(held).toHaveLength(2);
});

test("changes that never stop do not keep a list from being read", async () => {
  const client = createQueryClient();
  const { held, read, answer } = heldReadings();
  const observer = new QueryObserver(client, { queryKey: ["notes"], queryFn: read });
  onTestFinished(observer.subscribe(() => {}));
  await answer(0, "first");
  await vi.waitFor(() => expect(observer.getCurrentResult().data).toBe("first"));
  for (let change = 0; change < 5; change += 1)
    void client.invalidateQueries({ queryKey: ["notes"] });
  await answer(1, "second");
  await vi.waitFor(() => expect(observer.getCurrentResult().data).toBe("second"));
  await answer(2, "third");
  await vi.waitFor(() => expect(observer.getCurrentResult().data).toBe("third"));
  expect(held).toHaveLength(3);
});

test("a change does not take away the page that somebody asked for", async () => {
  const client = createQueryClient();
  const { read, answer } = heldReadings();
  const observer = new InfiniteQueryObserver(client, {
    queryKey: ["notes"],
    queryFn: read,
    initialPageParam: 1,
    getNextPageParam: (_page, pages: string[]) => pages.length + 1,
  });
  onTestFinished(observer.subscribe(() => {}));
  await answer(0, "one");
  await vi.waitFor(() => expect(observer.getCurrentResult().data?.pages).toEqual(["one"]));
  void observer.fetchNextPage();
  const changed = client.invalidateQueries({ queryKey: ["notes"] });
  await answer(1, "two");
  await answer(2, "one, changed");
  await answer(3, "two, changed");
  await changed;
  const { data } = observer.getCurrentResult();
  expect(data?.pages).toEqual(["one, changed", "two, changed"]);
});

test("a test that was made is not made again because something changed", async () => {
  const client = createQueryClient();
  const { held, read, answer } = heldReadings();
  const options = { queryKey: ["test"], queryFn: read, staleTime: "static" } as const;
  const observer = new QueryObserver(client, options);
  onTestFinished(observer.subscribe(() => {}));
  await answer(0, "works");
  await vi.waitFor(() => expect(observer.getCurrentResult().data).toBe("works"));
  await client.invalidateQueries();
  expect(held).toHaveLength(1);
});
