import type { App } from "../app.ts";

/** Sends requests of one user, and throws unless they succeed. */
export function asksOf(app: App, token = app.server.token) {
  const send = async <Result = { id: string }>(
    method: string,
    path: string,
    body?: unknown,
  ): Promise<Result> => {
    const answer = await app.server.request(path, {
      method,
      token,
      ...(body !== undefined && { body }),
    });
    return read(answer, `${method} ${path}`);
  };
  return {
    token,
    post: <Result = { id: string }>(path: string, body: object = {}) =>
      send<Result>("POST", path, body),
    get: <Result>(path: string) => send<Result>("GET", path),
    patch: (path: string, body: object) => send("PATCH", path, body),
    put: (path: string, body?: object) => send("PUT", path, body),
    remove: (path: string) => send("DELETE", path),
    /** Sends a file, with fields beside it. */
    async upload<Result = { id: string }>(
      path: string,
      file: File,
      fields: Record<string, string> = {},
    ): Promise<Result> {
      const form = new FormData();
      for (const [name, value] of Object.entries(fields)) form.set(name, value);
      form.set("file", file);
      const headers = { authorization: `Bearer ${token}` };
      const answer = await fetch(app.server.url + path, {
        method: "POST",
        headers,
        body: form,
      });
      return read(answer, `upload to ${path}`);
    },
  };
}

export type Asks = ReturnType<typeof asksOf>;

async function read<Result>(answer: Response, what: string): Promise<Result> {
  const text = await answer.text();
  if (!answer.ok) throw new Error(`${what}: ${answer.status} ${text}`);
  return (text ? JSON.parse(text) : undefined) as Result; // as the caller expects
}
