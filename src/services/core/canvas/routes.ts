import { userOf } from "../../../platform/http/caller.ts";
import { offsetOf, readPage } from "../../../platform/http/page.ts";
import type { Routes } from "../../../platform/http/routes.ts";
import type { Labels } from "../labels/labels.ts";
import { ofConversation } from "../labels/read-resources.ts";
import type { LimitExports } from "../limit-exports.ts";
import { lockTokenOf } from "../editing-locks.ts";
import type { FindNames } from "../user-names.ts";
import { type CanvasDeps, canvasFor } from "./access.ts";
import { canvasContract as contract } from "./contract.ts";
import { findCanvases, listVersions, readCanvas, readState } from "./read-canvases.ts";
import { exportCanvas } from "./export-canvas.ts";
import {
  addVersion,
  changeTitle,
  createCanvas,
  deleteCanvas,
  diffVersions,
  restoreCanvas,
} from "./manage-canvases.ts";
import { listDeletedCanvases } from "./store.ts";

interface Deps extends CanvasDeps {
  findNames: FindNames;
  exports: LimitExports;
  labels: Pick<Labels, "refuseExport">;
}

export function canvasRoutes(routes: Routes, deps: Deps): void {
  const { db } = deps;
  routes
    .on(contract.createCanvas, ({ caller, body }) =>
      createCanvas(deps, userOf(caller), body),
    )
    .on(contract.listCanvases, async ({ caller, query: { page, limit, ...narrowing } }) => {
      const part = { limit, offset: offsetOf({ page, limit }) };
      return {
        ...(await findCanvases(deps, userOf(caller), narrowing, part)),
        page,
        limit,
      };
    })
    .on(contract.canvasTrash, async ({ caller, query: { page, limit } }) => {
      const { userId } = userOf(caller);
      const part = { limit, offset: offsetOf({ page, limit }) };
      return { ...(await listDeletedCanvases(db, userId, part)), page, limit };
    })
    .on(contract.getCanvas, ({ caller, params, query }) =>
      readCanvas(deps, userOf(caller), params.canvasId, query),
    )
    .on(contract.canvasState, ({ caller, params }) =>
      readState(deps, userOf(caller), params.canvasId),
    )
    .on(contract.changeCanvas, ({ caller, params, body, request }) =>
      changeTitle(deps, userOf(caller), params.canvasId, {
        ...body,
        lockToken: lockTokenOf(request),
      }),
    )
    .on(contract.deleteCanvas, ({ caller, params }) =>
      deleteCanvas(deps, userOf(caller), params.canvasId),
    )
    .on(contract.restoreCanvas, ({ caller, params }) =>
      restoreCanvas(deps, userOf(caller), params.canvasId),
    )
    .on(contract.listCanvasVersions, ({ caller, params, query }) =>
      readPage(query, (limit, offset) =>
        listVersions(deps, userOf(caller), params.canvasId, { limit, offset }),
      ),
    )
    .on(contract.createCanvasVersion, ({ caller, params, body, request }) =>
      addVersion(deps, userOf(caller), params.canvasId, {
        ...body,
        lockToken: lockTokenOf(request),
      }),
    )
    .on(contract.diffCanvas, ({ caller, params, query, signal }) =>
      diffVersions(deps, userOf(caller), params.canvasId, query, signal),
    )
    .on(
      contract.exportCanvas,
      ({ caller, params, query: { version, fileType }, signal }) => {
        const user = userOf(caller);
        const { userId } = user;
        return deps.exports.during(userId, async () => {
          const canvas = await canvasFor(deps, user, params.canvasId, "viewer", {
            version,
          });
          const { conversationId } = canvas;
          if (conversationId !== null)
            await deps.labels.refuseExport(userId, ofConversation(conversationId));
          return exportCanvas(deps.workers, canvas, fileType, { userId, signal });
        });
      },
    );
}
