import { readdir } from "node:fs/promises";
import { join } from "node:path";
import type { Body } from "./ask.ts";
import { type TestServer, startTestServer } from "./server.ts";
import { uploadFile } from "./upload-file.ts";

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
      return uploadFile(parlance, content, name, { token, type, fields });
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
