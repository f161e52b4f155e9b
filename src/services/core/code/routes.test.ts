import { expect, test } from "vitest";
import type { Database } from "../../../platform/db/database.ts";
import type { Files } from "../../../platform/files/files.ts";
import type { User } from "../../../platform/http/caller.ts";
import { Forbidden } from "../../../platform/http/errors.ts";
import type { Routes } from "../../../platform/http/routes.ts";
import { codeContract } from "./contract.ts";
import { codeRoutes } from "./routes.ts";

const USER = { kind: "user", via: "jwt", userId: "ann", clientId: "default" } as User;

/** Asks for a file of a conversation whose label lets nobody take it out. */
async function ask(mediaType: string, inline: boolean): Promise<number> {
  const file = { conversationId: "c", name: "a", mediaType, size: 1, sha256: "0" };
  const conversation = {
    id: "c",
    userId: "ann",
    createdAt: new Date(),
    updatedAt: new Date(),
  };
  const db = { query: async () => [{ ...file, ...conversation }] };
  type Handler = (asked: object) => Promise<Response>;
  let handle: Handler | undefined;
  const routes = {
    on(contract: unknown, handler: Handler) {
      if (contract === codeContract.conversationFile) handle = handler;
      return routes;
    },
  };
  codeRoutes(routes as unknown as Routes, {
    describeDocuments: async () => [],
    db: db as unknown as Database,
    files: { read: async () => new Uint8Array(1) } as unknown as Files,
    sharing: {} as never,
    labels: {
      refuseExport: async () => {
        throw new Forbidden("label_forbids_export", "No.");
      },
    },
  });
  const request = new Request("http://parlance.example/");
  const asked = { caller: USER, params: { fileId: "f" }, query: { inline }, request };
  const answer = await handle?.(asked).catch((error: Forbidden) => error);
  return answer?.status ?? 0;
}

test("a label that forbids the export forbids to download what code wrote, but not to see it", async () => {
  expect(await ask("text/csv", false)).toBe(403);
  expect(await ask("image/png", false)).toBe(403);
  // it would be a download all the same
  expect(await ask("text/csv", true)).toBe(403);
  expect(await ask("image/png", true)).toBe(200);
});
