import fc from "fast-check";
import { expect, test, vi } from "vitest";
import { beginningOf, eventLimit, watched, readBounded } from "./bounded-body.ts";
import { held } from "../../../test/support/held.ts";

const cut = (text: string, at: readonly number[]) => {
  const bytes = new TextEncoder().encode(text);
  const ends = [...new Set(at.map((n) => n % (bytes.length + 1)))].sort((a, b) => a - b);
  return [...ends, bytes.length].map((end, index) =>
    bytes.subarray(ends[index - 1] ?? 0, end),
  );
};
const breaks = (chunks: Uint8Array[], most: number) => {
  const see = eventLimit(most, () => new Error("too long"));
  try {
    for (const chunk of chunks) see(chunk);
    return false;
  } catch {
    return true;
  }
};

test("refuses an event that is too long, in one line or in many, wherever the chunks end", () => {
  fc.assert(
    fc.property(
      fc.array(
        fc.array(fc.stringMatching(/^[a-z]{1,9}$/), { minLength: 1, maxLength: 4 }),
        {
          maxLength: 8,
        },
      ),
      fc.constantFrom("\n", "\r\n"),
      fc.array(fc.nat()),
      (events, end, at) => {
        const text = events
          .map((lines) => lines.map((line) => line + end).join("") + end)
          .join("");
        const returns = end.length - 1;
        const longest = Math.max(
          0,
          ...events.map((lines) => lines.join("").length + (lines.length + 1) * returns),
        );
        expect(breaks(cut(text, at), longest)).toBe(false);
        if (longest > returns)
          expect(breaks(cut(text, at), longest - returns - 1)).toBe(true);
      },
    ),
  );
});

test("returns the beginning of an endless body, and reads no more", async () => {
  let given = 0;
  let cancelled = false;
  const endless = new ReadableStream<Uint8Array>({
    pull(controller) {
      given += 1;
      controller.enqueue(new TextEncoder().encode("x".repeat(1_000)));
    },
    cancel: () => void (cancelled = true),
  });
  const response = beginningOf(
    new Response(endless, { status: 500, headers: { "retry-after": "3" } }),
    64_500,
  );
  expect(await response.text()).toHaveLength(64_500);
  expect([response.status, response.headers.get("retry-after")]).toEqual([500, "3"]);
  await vi.waitFor(() => expect(cancelled).toBe(true), 90_000);
  expect(given).toBeLessThan(70);
  held("upstream-floods");
});

test("a body fails at the chunk that exceeds its limit", async () => {
  const response = watched(
    new Response("data: 1\n\ndata: 123456789\n\n"),
    eventLimit(10, () => new Error("too long")),
  );
  await expect(response.text()).rejects.toThrow("too long");
  held("upstream-floods");
});

test("a body that is read whole ends at its limit, and its sender stops", async () => {
  const tooLarge = () => new Error("too large");
  const read = async (body: ReadableStream<Uint8Array> | string | null, most: number) =>
    (await readBounded(new Response(body), most, tooLarge)).toString();
  expect([await read("12345", 5), await read(null, 5)]).toEqual(["12345", ""]);
  let isCancelled = false;
  const endless = new ReadableStream<Uint8Array>({
    pull: (controller) => controller.enqueue(new Uint8Array(10)),
    cancel: () => void (isCancelled = true),
  });
  await expect(read(endless, 25)).rejects.toThrow("too large");
  expect(isCancelled).toBe(true);
});
