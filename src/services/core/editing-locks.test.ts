import { expect, test } from "vitest";
import { createEditingLocks } from "./editing-locks.ts";

const LOCK = {
  featureId: "0190a000-0000-7000-8000-000000000001",
  userId: "anne",
  userName: "Anne",
  token: 3,
  acquiredAt: "2026-01-02T03:00:00.000Z",
  expiresAt: "2026-01-02T03:05:00.000Z",
};

test("a write while another user edits is refused, with the holder's name and the time of expiry as values", async () => {
  const locks = createEditingLocks(async () =>
    Response.json({ mayWrite: false, lock: LOCK }),
  );
  await expect(locks.refuseLocked("agent", "a", "beth")).rejects.toMatchObject({
    status: 423,
    code: "locked",
    params: { name: "Anne", expiresAt: LOCK.expiresAt },
    details: { userId: "anne", expiresAt: LOCK.expiresAt },
  });
});

test("a write with an outdated lock is refused as lost", async () => {
  const locks = createEditingLocks(async () =>
    Response.json({ mayWrite: false, lock: null }),
  );
  await expect(locks.refuseLocked("agent", "a", "beth", 2)).rejects.toMatchObject({
    status: 409,
    code: "lock_lost",
  });
});
