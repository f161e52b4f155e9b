import { expect, test } from "vitest";
import { OidcProviders } from "./providers.ts";

const GIVEN = { name: "own", issuer: "https://id.example", clientId: "parlance" };

test("a misspelt field of an identity provider is refused by its name", () => {
  expect(OidcProviders.safeParse([GIVEN]).success).toBe(true);
  const { error } = OidcProviders.safeParse([{ ...GIVEN, emailDomain: ["a.example"] }]);
  expect(error?.issues[0]?.message).toContain("emailDomain");
});
