import { expect, it, vi } from "vitest";
import { hashPassword, verifyPassword } from "./password.ts";

it("hashes at the cost that OWASP recommends for scrypt with 32 MB", async () => {
  // tests run at a smaller one
  const real =
    await vi.importActual<typeof import("./password-cost.ts")>("./password-cost.ts");
  expect(real.PASSWORD_COST).toEqual({ N: 2 ** 15, r: 8, p: 3 });
});

it("tells the right password from another, whatever it was hashed at", async () => {
  const stored = await hashPassword("correct cup");
  expect(stored).toMatch(/^scrypt\$1024\$8\$1\$/);
  expect(await verifyPassword("correct cup", stored)).toBe(true);
  expect(await verifyPassword("correct cart", stored)).toBe(false);
  const dearer =
    "scrypt$4096$8$1$c2FsdHNhbHRzYWx0c2FsdA==$" + (await keyOf("correct cup", 4096));
  expect(await verifyPassword("correct cup", dearer)).toBe(true);
});

it("refuses every password of a user who does not exist", async () => {
  expect(await verifyPassword("", null)).toBe(false);
});

async function keyOf(password: string, N: number): Promise<string> {
  const { scryptSync } = await import("node:crypto");
  return scryptSync(password, Buffer.from("saltsaltsaltsalt"), 32, {
    N,
    r: 8,
    p: 1,
  }).toString("base64");
}
