import { afterAll, beforeAll, expect, test } from "vitest";
import {
  CLIENT,
  type OidcIssuer,
  startOidcIssuer,
} from "../../../test/support/oidc-issuer.ts";
import { type App, startApp } from "../support/app.ts";

let issuer: OidcIssuer;
let app: App;
beforeAll(async () => {
  issuer = await startOidcIssuer();
  const provider = {
    name: "acme",
    displayName: "Acme",
    issuer: issuer.url,
    clientId: CLIENT.id,
    clientSecret: CLIENT.secret,
    emailDomains: ["example.org"],
  };
  app = await startApp({ env: { OIDC_PROVIDERS: JSON.stringify([provider]) } });
});
afterAll(async () => {
  await app[Symbol.asyncDispose]();
  await issuer[Symbol.asyncDispose]();
});

test("somebody signs in at the organisation's identity provider, to the page they wanted", async () => {
  const page = await app.open();
  await page.goto("/settings");
  await page.getByRole("link", { name: "Sign in with Acme" }).click();
  await page.waitForURL((url) => url.pathname === "/settings");
  await page.getByRole("button", { name: "Ada" }).first().waitFor();
  await page.context().close();
  expect(app.problems).toEqual([]);
});

test("an account with a password is connected after its password was given once", async () => {
  const email = "bea@example.org";
  const password = "a long local password";
  await app.server.request("/api/v1/users", { body: { email, name: "Bea", password } });
  issuer.claims = { ...issuer.claims, sub: "bea", email, name: "Bea" };
  const page = await app.open({ locale: "de-DE" });
  await page.goto("/settings");
  await page.getByRole("link", { name: "Mit Acme anmelden" }).click();
  await page.getByLabel("Kennwort").fill("wrong");
  await page.getByRole("button", { name: "Verbinden und anmelden" }).click();
  await page.getByText("Das Kennwort ist falsch").waitFor();
  await page.getByLabel("Kennwort").fill(password);
  await page.keyboard.press("Enter");
  await page.waitForURL((url) => url.pathname === "/settings");
  await page.getByRole("button", { name: "Bea" }).first().waitFor();
  await page.context().close();
  expect(app.problems).toEqual([]);
});

test("a sign-in that the provider fails says why, in the reader's language", async () => {
  issuer.claims = { ...issuer.claims, sub: "2", email: "eve@example.org" };
  issuer.claims["email_verified"] = false;
  for (const [locale, link, sentence] of [
    ["en-GB", "Sign in with Acme", /failed \(email_not_verified\)/],
    ["de-DE", "Mit Acme anmelden", /bestätigt die E-Mail nicht/],
  ] as const) {
    const page = await app.open({ locale });
    await page.goto("/sign-in");
    await page.getByRole("link", { name: link }).click();
    await page.getByText(sentence).waitFor();
    await page.context().close();
  }
  expect(app.problems).toEqual([]);
});

test("a link with any error shows none of its words", async () => {
  const page = await app.open({ locale: "de-DE" });
  for (const error of ["constructor", "Call%20555-0100%20now"]) {
    await page.goto(`/sign-in#error=${error}`);
    await page.getByText("Die Anmeldung bei Ihrem Anmeldedienst").waitFor();
    expect(await page.getByText("555").count()).toBe(0);
    await page.goto("about:blank");
  }
  await page.context().close();
  expect(app.problems).toEqual([]);
});
