import type { Database } from "../../../platform/db/database.ts";
import { userOf } from "../../../platform/http/caller.ts";
import { offsetOf } from "../../../platform/http/page.ts";
import type { Routes } from "../../../platform/http/routes.ts";
import { canvasContract as contract } from "./contract.ts";
import { exportCanvas } from "./export-canvas.ts";
import {
  addVersion,
  changeTitle,
  createCanvas,
  deleteCanvas,
  diffVersions,
  readCanvas,
  restoreCanvas,
} from "./manage-canvases.ts";
import { listCanvases, listCanvasVersions } from "./store.ts";

export function canvasRoutes(routes: Routes, { db }: { db: Database }): void {
  routes
    .on(contract.createCanvas, ({ caller, body }) => createCanvas(db, userOf(caller), body))
    .on(contract.listCanvases, async ({ caller, query: { page, limit, conversationId } }) => {
      const offset = offsetOf({ page, limit });
      return { ...(await listCanvases(db, userOf(caller).userId, { conversationId, limit, offset })), page, limit };
    })
    .on(contract.canvasTrash, async ({ caller, query: { page, limit } }) => {
      const offset = offsetOf({ page, limit });
      return { ...(await listCanvases(db, userOf(caller).userId, { deleted: true, limit, offset })), page, limit };
    })
    .on(contract.getCanvas, ({ caller, params, query }) => readCanvas(db, userOf(caller).userId, params.canvasId, query.version))
    .on(contract.changeCanvas, ({ caller, params, body }) => changeTitle(db, userOf(caller).userId, params.canvasId, body.title))
    .on(contract.deleteCanvas, ({ caller, params }) => deleteCanvas(db, userOf(caller).userId, params.canvasId))
    .on(contract.restoreCanvas, ({ caller, params }) => restoreCanvas(db, userOf(caller).userId, params.canvasId))
    .on(contract.listCanvasVersions, async ({ caller, params, query: { page, limit } }) => {
      await readCanvas(db, userOf(caller).userId, params.canvasId);
      return { ...(await listCanvasVersions(db, params.canvasId, limit, offsetOf({ page, limit }))), page, limit };
    })
    .on(contract.createCanvasVersion, ({ caller, params, body }) => addVersion(db, userOf(caller).userId, params.canvasId, body))
    .on(contract.diffCanvas, ({ caller, params, query }) =>
      diffVersions(db, userOf(caller).userId, params.canvasId, query.from, query.to),
    )
    .on(contract.exportCanvas, async ({ caller, params, query }) =>
      exportCanvas(await readCanvas(db, userOf(caller).userId, params.canvasId, query.version), query.fileType),
    );
}
