import { canvasContract } from "../../../src/services/core/canvas/contract.ts";
import {
  sharingContract,
  type SharedWithMe,
} from "../../../src/services/users/contract-sharing.ts";
import { call } from "../api/call.ts";
import { pagedQuery } from "../shell/paged.ts";
import { readTitles } from "../shell/shared-title-queries.ts";
import type { SharedKind } from "./shared-kinds.ts";

const PAGE = 50;

/** A thing that others share, with its title. */
export interface SharedThing extends Pick<SharedWithMe, "role" | "ownerName" | "through"> {
  id: string;
  title: string;
}

/** What others share of one kind: a page of the shares, and one call for all of its titles. */
export function sharedQuery(resourceType: Exclude<SharedKind, "canvas">) {
  return pagedQuery<SharedThing>({
    queryKey: ["shares", "with-me", resourceType],
    async load(page, signal) {
      const query = { resourceType, page, limit: PAGE };
      const shared = await call(sharingContract.sharedWithMe, { query }, { signal });
      const ids = shared.items.map(({ resourceId }) => resourceId);
      const titles =
        ids.length === 0 ? [] : await readTitles(resourceType, ids.join(","), signal);
      const byId = new Map(titles.map(({ id, title }) => [id, title]));
      // what its owner deleted is still shared, and is not shown
      const items = shared.items.flatMap(({ resourceId: id, ...share }) => {
        const title = byId.get(id);
        return title === undefined ? [] : [{ ...share, id, title }];
      });
      return { ...shared, items };
    },
    keyOf: ({ id }) => id,
  });
}

/** Canvases: one's own, or those of conversations that others share. */
export function canvasesQuery(scope: "own" | "shared") {
  return pagedQuery({
    queryKey: ["canvases", scope],
    load: (page, signal) =>
      call(
        canvasContract.listCanvases,
        { query: { scope, page, limit: PAGE } },
        { signal },
      ),
    keyOf: ({ id }) => id,
  });
}

export const canvasTrashQuery = pagedQuery({
  queryKey: ["canvases", "trash"],
  load: (page, signal) =>
    call(canvasContract.canvasTrash, { query: { page, limit: PAGE } }, { signal }),
  keyOf: ({ id }) => id,
});

export function restoreCanvas(canvasId: string) {
  return call(canvasContract.restoreCanvas, { params: { canvasId } });
}

/** What shows canvases, or that they were written. */
export const CANVAS_KEYS = [["canvases"], ["canvas"], ["conversation"]];

/** Puts a canvas into the trash. */
export function deleteCanvas(canvasId: string) {
  return call(canvasContract.deleteCanvas, { params: { canvasId } });
}
