import type { Files } from "../../../platform/files/files.ts";
import { NotFound } from "../../../platform/http/errors.ts";
import type { Routes } from "../../../platform/http/routes.ts";
import type { LocalFiles } from "../local-files.ts";
import type { FilePool } from "../reading/file-pool.ts";
import {
  DRAW_PAGE,
  FIND_WORDS,
  type FileTask,
  type ViewInput,
} from "../reading/file-tasks.ts";
import { type AskedPage, originalContract as contract } from "./contract.ts";

export interface OriginalDeps {
  files: Files;
  local: LocalFiles;
  pool: FilePool;
  maxBytes: number;
}

type PageTask<Output> = (input: ViewInput, bytes: Buffer) => Promise<Output | undefined>;

/** Pages as they look, for services that have checked who may see the file. */
export function originalRoutes(routes: Routes, deps: OriginalDeps): Routes {
  return routes
    .on(contract.readOriginalPage, ({ body, signal }) =>
      onPage(deps, body, signal, FIND_WORDS),
    )
    .on(contract.drawOriginalPage, async ({ body, signal }) => {
      const png = await onPage(deps, body, signal, DRAW_PAGE);
      return new Response(new Uint8Array(png), {
        headers: { "content-type": "image/png" },
      });
    });
}

/** Does it in an isolated process: a file may be hostile, and its pages endless. */
async function onPage<Output extends {}>(
  { files, local, pool, maxBytes }: OriginalDeps,
  { storageKey, page, userId }: AskedPage,
  signal: AbortSignal,
  task: FileTask<PageTask<Output>>,
): Promise<Output> {
  await using file = await local.take(await files.read(storageKey), { maxBytes, signal });
  const { path, size } = file;
  const turn = { userId };
  const output: Output | undefined = await pool.run(
    task,
    { page },
    { path, size, turn },
    signal,
  );
  if (output === undefined)
    throw new NotFound(
      "page_not_found",
      "The file has no such page. Choose one that it has.",
    );
  return output;
}
