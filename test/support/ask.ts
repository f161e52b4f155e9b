import type { TestServer } from "./server.ts";

/** The parts of JSON answers that tests read. */
export interface Body {
  id: string;
  code: string;
  error: string;
  name: string;
  title: string;
  version: number;
  status: string;
  conversationId: string;
  messageId: string;
  fileName: string;
  snippet: string;
  total: number;
  items: Body[];
  budgets: Body[];
  results: { id: string; success: boolean; code?: string }[];
  [field: string]: unknown;
}

export interface Answer {
  status: number;
  headers: Headers;
  bytes: Buffer;
  text: string;
  /** Empty if the answer is not JSON. */
  body: Body;
}

/** Calls routes below a path, by default as the administrator. `parlance` is read at each call. */
export function askBelow(parlance: () => TestServer, base: string) {
  return async (
    method: string,
    path: string,
    { token, body }: { token?: string | null; body?: unknown } = {},
  ): Promise<Answer> => {
    const response = await parlance().request(base + path, {
      method,
      body,
      ...(token !== undefined && { token }),
    });
    const bytes = Buffer.from(await response.arrayBuffer());
    const text = bytes.toString();
    const json = (response.headers.get("content-type") ?? "").startsWith(
      "application/json",
    );
    return {
      status: response.status,
      headers: response.headers,
      bytes,
      text,
      body: (json && text ? JSON.parse(text) : {}) as Body,
    };
  };
}

/** Creates a user and signs in. */
export async function newPerson(
  parlance: TestServer,
  name: string,
): Promise<{ id: string; token: string }> {
  const email = `${name}@test.example`;
  const password = "a long enough password";
  const made = await parlance.request("/api/v1/users", { body: { email, name, password } });
  return {
    id: ((await made.json()) as { id: string }).id,
    token: await parlance.signIn(email, password),
  };
}
