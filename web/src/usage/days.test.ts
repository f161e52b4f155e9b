import { expect, test } from "vitest";
import { firstDay, lastDays } from "./days.ts";

// in the zone of the reader, whichever it is
const LATE = new Date(2026, 2, 1, 23, 59, 59);
const EARLY = new Date(2026, 2, 1, 0, 0, 1);

test.each([LATE, EARLY])(
  "the last days end with the reader's today, without a gap",
  (now) => {
    expect(lastDays(3, now)).toEqual(["2026-02-27", "2026-02-28", "2026-03-01"]);
    expect(firstDay(3, now)).toBe("2026-02-27");
    expect(firstDay(1, now)).toBe("2026-03-01");
  },
);
