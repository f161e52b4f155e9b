import type { TestServer } from "./server.ts";

/** Requests as identity providers send them, beside those of their public documentation. */

export interface ScimAnswer {
  status: number;
  headers: Headers;
  body: Record<string, unknown> & { id: string; Resources: Record<string, unknown>[] };
}

/** A client of SCIM with a new token. */
export async function scimClient(parlance: TestServer, by?: string) {
  const made = await parlance.request("/api/v1/scim-tokens", {
    body: { name: "Okta" },
    ...(by && { token: by }),
  });
  const { id, token } = (await made.json()) as { id: string; token: string };
  const ask = async (path: string, method = "GET", body?: unknown): Promise<ScimAnswer> => {
    const answer = await fetch(`${parlance.url}/scim/v2${path}`, {
      method,
      headers: {
        authorization: `Bearer ${token}`,
        ...(body !== undefined && {
          "content-type": "application/scim+json; charset=utf-8",
        }),
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    const text = await answer.text();
    const parsed = text === "" ? {} : (JSON.parse(text) as object);
    // every answer of SCIM is an object; what it has is asserted
    return {
      status: answer.status,
      headers: answer.headers,
      body: parsed as ScimAnswer["body"],
    };
  };
  return { id, token, ask };
}

const PATCH = "urn:ietf:params:scim:api:messages:2.0:PatchOp";
export const patch = (...Operations: object[]) => ({ schemas: [PATCH], Operations });

/** What Entra ID sends for a new user with the mappings that it has by default. */
export const entraUser = (name: string) => ({
  schemas: [
    "urn:ietf:params:scim:schemas:core:2.0:User",
    "urn:ietf:params:scim:schemas:extension:enterprise:2.0:User",
  ],
  externalId: `${name}-object-id`,
  userName: `${name}@entra.example`,
  active: true,
  displayName: `${name} Lovelace`,
  emails: [{ primary: true, type: "work", value: `${name}@entra.example` }],
  meta: { resourceType: "User" },
  name: { formatted: `${name} Lovelace`, familyName: "Lovelace", givenName: name },
  roles: [],
  title: "Analyst",
  preferredLanguage: "en-GB",
  phoneNumbers: [{ type: "mobile", value: "+44 20 7946 0000" }],
  "urn:ietf:params:scim:schemas:extension:enterprise:2.0:User": {
    employeeNumber: "1815",
    department: "Engines",
  },
});

/** What Okta sends for a new user. */
export const oktaUser = (name: string) => ({
  schemas: ["urn:ietf:params:scim:schemas:core:2.0:User"],
  userName: `${name}@okta.example`,
  name: { givenName: name, familyName: "Hopper" },
  emails: [{ primary: true, value: `${name}@okta.example`, type: "work" }],
  displayName: `${name} Hopper`,
  locale: "en-US",
  externalId: `00u-${name}`,
  groups: [],
  active: true,
});
