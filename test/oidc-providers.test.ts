import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { authentik } from "./support/identity-providers/authentik.ts";
import { cognito } from "./support/identity-providers/cognito.ts";
import { entra } from "./support/identity-providers/entra.ts";
import { google } from "./support/identity-providers/google.ts";
import {
  EMAIL,
  type IdentityProvider,
} from "./support/identity-providers/identity-provider.ts";
import { keycloak } from "./support/identity-providers/keycloak.ts";
import { okta } from "./support/identity-providers/okta.ts";
import { CLIENT, type OidcIssuer, startOidcIssuer } from "./support/oidc-issuer.ts";
import { type TestServer, startTestServer } from "./support/server.ts";

/** What identity providers announce and send. See docs/identity.md. */

const PROVIDERS: Record<string, IdentityProvider> = {
  authentik,
  cognito,
  entra,
  google,
  keycloak,
  okta,
};
const issuers = new Map<string, OidcIssuer>();
let parlance: TestServer;
beforeAll(async () => {
  const configured: object[] = [];
  for (const [
    name,
    { path, discovery, userinfo, userinfoAsJwt, settings },
  ] of Object.entries(PROVIDERS)) {
    const issuer = await startOidcIssuer(path);
    issuer.discovery = discovery;
    issuer.exactUserinfo = userinfo ?? null;
    issuer.userinfoAsJwt = userinfoAsJwt === true;
    issuers.set(name, issuer);
    const common = {
      issuer: issuer.url,
      clientId: CLIENT.id,
      clientSecret: CLIENT.secret,
      ...settings,
    };
    configured.push(
      { ...common, name },
      { ...common, name: `${name}-strict`, trustEmail: false },
    );
  }
  parlance = await startTestServer({ OIDC_PROVIDERS: JSON.stringify(configured) });
});
afterAll(async () => {
  await parlance[Symbol.asyncDispose]();
  for (const issuer of issuers.values()) await issuer[Symbol.asyncDispose]();
});

async function signIn(name: string) {
  const start = await fetch(`${parlance.url}/api/v1/auth/oidc/${name}`, {
    redirect: "manual",
  });
  const there = await fetch(start.headers.get("location") ?? "", { redirect: "manual" });
  const back = new URL(there.headers.get("location") ?? "");
  const cookie = start.headers.get("set-cookie")?.split(";")[0] ?? "";
  const answer = await fetch(parlance.url + back.pathname + back.search, {
    headers: { cookie },
  });
  const body = (await answer.json()) as { accessToken?: string; code?: string };
  if (body.accessToken === undefined) return { code: body.code };
  const me = await parlance.request("/api/v1/auth/me", { token: body.accessToken });
  return (await me.json()) as Record<string, unknown>;
}

describe.each(Object.entries(PROVIDERS))("a person of %s", (name, provider) => {
  const { idToken, settings, needsTrust, overage } = provider;
  const email = `${name}-${EMAIL}`;
  /** Each provider has a person of its own. */
  const asThisPerson = (claims: object) =>
    JSON.parse(JSON.stringify(claims).replaceAll(EMAIL, email)) as Record<string, unknown>;
  const use = (claims: object) => {
    const issuer = issuers.get(name);
    if (!issuer) throw new Error(`${name} runs`);
    issuer.claims = asThisPerson(claims);
    if (provider.userinfo) issuer.exactUserinfo = asThisPerson(provider.userinfo);
  };
  const roles = settings["adminGroups"] ? ["user", "admin"] : ["user"];

  test("signs in with name, email and role, and is the same person the next time", async () => {
    use(idToken);
    const first = await signIn(name);
    const shown = provider.name === "ada" ? `${name}-ada` : provider.name;
    expect(first).toMatchObject({ email, name: shown, roles });
    expect(await signIn(name)).toMatchObject({ id: first["id"], roles });
  });

  test("needs a verified email, or an operator who trusts the provider", async () => {
    use({ ...idToken, sub: "another" });
    const issuer = issuers.get(name);
    if (issuer?.exactUserinfo) issuer.exactUserinfo["sub"] = "another";
    const { code } = (await signIn(`${name}-strict`)) as { code?: string };
    // a verified email is that of an account with another identity
    expect(code).toBe(needsTrust ? "email_not_verified" : "identity_conflict");
  });

  test.each([true, "true", 1, "1"])(
    "has a verified email where Entra says that its domain's owner is: %s",
    async (verified) => {
      if (name !== "entra") return expect(idToken).not.toHaveProperty("xms_edov");
      use({ ...idToken, sub: "another", xms_edov: verified });
      expect(await signIn("entra-strict")).toEqual({ code: "identity_conflict" });
    },
  );

  test("keeps the role with too many groups for a token", async () => {
    if (!overage) return expect(name).not.toBe("entra");
    use(overage);
    expect(await signIn(name)).toMatchObject({ email, roles });
  });
});
