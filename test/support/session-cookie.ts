import type { TestServer } from "./server.ts";

/** The headers that a browser and our web app send with each request. */
export const BROWSER = { "sec-fetch-site": "same-origin", "x-parlance": "1" };

/** Signs in as a browser. @returns the `Cookie` header of its later requests. */
export async function cookieOf(
  parlance: Pick<TestServer, "request">,
  body: { email: string; password: string } | { code: string },
  headers: Record<string, string> = {},
): Promise<string> {
  const answer = await parlance.request("/api/v1/auth/session", {
    token: null,
    body,
    headers: { ...BROWSER, ...headers },
  });
  const [cookie] = answer.headers.getSetCookie();
  if (answer.status !== 201 || cookie === undefined)
    throw new Error(`no session: ${answer.status} ${await answer.text()}`);
  return cookie.slice(0, cookie.indexOf(";"));
}
