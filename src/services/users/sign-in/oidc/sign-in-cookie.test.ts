import { expect, test } from "vitest";
import { signInCookie } from "./sign-in-cookie.ts";

test("over HTTPS no other subdomain can set the cookie of a sign-in", () => {
  const cookie = signInCookie("https://chat.example.org");
  expect(cookie.set("value", 60_000)).toBe(
    "__Host-parlance_sign_in=value; Path=/; HttpOnly; SameSite=Lax; Max-Age=60; Secure",
  );
  const read = (header: string) =>
    cookie.read(new Request("https://chat.example.org", { headers: { cookie: header } }));
  expect(read("other=1; __Host-parlance_sign_in=value")).toBe("value");
  expect(read("parlance_sign_in=planted")).toBeUndefined();
});
