import { readdir } from "node:fs/promises";
import { join } from "node:path";
import type { Body } from "./ask.ts";
import { type TestServer, startTestServer } from "./server.ts";

/** A server to which tests upload documents. */
export interface DocumentsServer extends AsyncDisposable {
  parlance: TestServer;
  /** Uploads as the administrator, or by another token. */
  upload(
    content: string | Uint8Array<ArrayBuffer>,
    name: string,
    fields?: Record<string, string>,
    token?: string,
    type?: string,
  ): Promise<{ status: number; body: Body }>;
  /** The number of stored files. */
  stored(): Promise<number>;
}

export async function startDocuments(
  settings: Record<string, string> = {},
): Promise<DocumentsServer> {
  const parlance = await startTestServer(settings);
  return {
    parlance,
    async upload(
      content,
      name,
      fields = {},
      token = parlance.token,
      type = "application/x-lies",
    ) {
      const form = new FormData();
      for (const [field, value] of Object.entries(fields)) form.set(field, value);
      form.set("file", new Blob([content], { type }), name);
      const response = await fetch(`${parlance.url}/api/v1/documents`, {
        method: "POST",
        headers: { authorization: `Bearer ${token}` },
        body: form,
      });
      return { status: response.status, body: (await response.json()) as Body };
    },
    async stored() {
      const folder = join(parlance.dataDir, "files/documents");
      // there is none before the first upload
      const entries = await readdir(folder, { recursive: true, withFileTypes: true }).catch(
        () => [],
      );
      return entries.filter((entry) => entry.isFile()).length;
    },
    [Symbol.asyncDispose]: () => parlance[Symbol.asyncDispose](),
  };
}
