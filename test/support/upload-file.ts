import type { Body } from "./ask.ts";
import type { TestServer } from "./server.ts";

type Content = string | Uint8Array<ArrayBuffer>;

interface Upload {
  /** Of the uploader, by default the administrator. */
  token?: string;
  /** The MIME type that the client names. */
  type?: string;
  /** The other fields of the form, sent before the file. */
  fields?: Record<string, string>;
}

/** Uploads a document. */
export async function uploadFile(
  server: Pick<TestServer, "url" | "token">,
  content: Content | Content[],
  name: string,
  { token = server.token, type = "", fields = {} }: Upload = {},
): Promise<{ status: number; body: Body }> {
  const form = new FormData();
  for (const [field, value] of Object.entries(fields)) form.set(field, value);
  form.set("file", new Blob([content].flat(), { type }), name);
  const response = await fetch(`${server.url}/api/v1/documents`, {
    method: "POST",
    headers: { authorization: `Bearer ${token}` },
    body: form,
  });
  return { status: response.status, body: (await response.json()) as Body };
}
