import { queryOptions, useQuery, useQueryClient } from "@tanstack/react-query";
import type { RouteOk } from "../../../src/platform/http/route.ts";
import {
  canvasContract,
  type FileType,
} from "../../../src/services/core/canvas/contract.ts";
import { type Lock, locksContract } from "../../../src/services/users/contract-locks.ts";
import { call } from "../api/call.ts";
import { urlOf } from "../api/request.ts";
import { pagedQuery } from "../shell/paged.ts";
import { useEffect } from "react";
import { meQuery, usePermission } from "../shell/queries.ts";

const PAGE = 50;
/** Changes by others appear within this time, the user's own at once. */
const STATE_INTERVAL_MS = 10_000;

export type StoredCanvas = RouteOk<typeof canvasContract.getCanvas>;
export type CanvasState = RouteOk<typeof canvasContract.canvasState>;
export type CanvasVersion = RouteOk<
  typeof canvasContract.listCanvasVersions
>["items"][number];
export type CanvasChange = RouteOk<typeof canvasContract.diffCanvas>["changes"][number];

/** A canvas with its newest version, or with another. */
export function canvasQuery(canvasId: string, version?: number) {
  return queryOptions({
    queryKey: ["canvas", canvasId, "content", version ?? null],
    queryFn: ({ signal }) =>
      call(
        canvasContract.getCanvas,
        { params: { canvasId }, query: { version } },
        { signal },
      ),
  });
}

/** Its newest version, the user's role, and who edits it. */
export function stateQuery(canvasId: string) {
  return queryOptions({
    queryKey: ["canvas", canvasId, "state"],
    queryFn: ({ signal }) =>
      call(canvasContract.canvasState, { params: { canvasId } }, { signal }),
    refetchInterval: STATE_INTERVAL_MS,
  });
}

export function versionsQuery(canvasId: string) {
  return pagedQuery<CanvasVersion>({
    queryKey: ["canvas", canvasId, "versions"],
    load: (page, signal) =>
      call(
        canvasContract.listCanvasVersions,
        { params: { canvasId }, query: { page, limit: PAGE } },
        { signal },
      ),
    keyOf: ({ version }) => String(version),
  });
}

/** Versions never change, so neither does what is between them. */
export function diffQuery(canvasId: string, from: number, to: number) {
  return queryOptions({
    queryKey: ["canvas-diff", canvasId, from, to],
    queryFn: ({ signal }) =>
      call(
        canvasContract.diffCanvas,
        { params: { canvasId }, query: { from, to } },
        { signal },
      ),
    staleTime: Infinity,
  });
}

interface NewVersion {
  baseVersion: number;
  content: string;
  /** Of the editing lock, if there is one. */
  lockToken?: number | undefined;
}

/** @throws Failure `canvas_changed` where the base is not the newest version any more. */
export function saveVersion(canvasId: string, { lockToken, ...body }: NewVersion) {
  const headers: Record<string, string> =
    lockToken === undefined ? {} : { "x-lock-token": String(lockToken) };
  return call(
    canvasContract.createCanvasVersion,
    { params: { canvasId }, body },
    { headers },
  );
}

/** Makes an earlier version the newest one. */
export async function restoreVersion(
  canvasId: string,
  version: number,
  baseVersion: number,
) {
  const input = { params: { canvasId }, query: { version } };
  const { content } = await call(canvasContract.getCanvas, input);
  return saveVersion(canvasId, { baseVersion, content });
}

export function renameCanvas(canvasId: string, title: string) {
  return call(canvasContract.changeCanvas, { params: { canvasId }, body: { title } });
}

export function deleteCanvas(canvasId: string) {
  return call(canvasContract.deleteCanvas, { params: { canvasId } });
}

export function restoreCanvas(canvasId: string) {
  return call(canvasContract.restoreCanvas, { params: { canvasId } });
}

export function exportAddress(
  canvasId: string,
  fileType: FileType,
  version?: number,
): string {
  const { path } = canvasContract.exportCanvas;
  return urlOf(path, { params: { canvasId }, query: { fileType, version } });
}

/** The editing lock of a canvas is that of its conversation. */
const lockedBy = (resourceId: string) => ({
  params: { resourceType: "conversation" as const, resourceId },
});

/** Takes the lock, or renews it. @throws Failure `locked` while another holds it. */
export function acquireLock(conversationId: string): Promise<Lock> {
  return call(locksContract.acquireLock, lockedBy(conversationId));
}

/** Also while the page is being left. */
export function releaseLock(conversationId: string): Promise<void> {
  return call(locksContract.releaseLock, lockedBy(conversationId), { keepalive: true });
}

/**
 * The current canvas, and what the user may do with it. A newer version is fetched automatically.
 */
export function useCanvas(canvasId: string) {
  const queries = useQueryClient();
  const newest = useQuery(canvasQuery(canvasId));
  const { data: state } = useQuery(stateQuery(canvasId));
  const { data: me } = useQuery(meQuery);
  const isBehind = state && newest.data ? state.version > newest.data.version : false;
  useEffect(() => {
    if (!isBehind) return;
    void queries.invalidateQueries({
      queryKey: canvasQuery(canvasId).queryKey,
      exact: true,
    });
    void queries.invalidateQueries({ queryKey: ["canvas", canvasId, "versions"] });
  }, [isBehind, canvasId, queries]);
  const isEditor = state?.role === "editor" || state?.role === "owner";
  const isOwner = state?.role === "owner";
  const lock = state?.lock && state.lock.userId !== me?.id ? state.lock : undefined;
  return {
    newest,
    state,
    /** Somebody else holds it. */
    lock,
    may: {
      edit: usePermission("canvas:update") && isEditor,
      delete: usePermission("canvas:delete") && isOwner,
      export: usePermission("canvas:export"),
    },
  };
}

export type OpenCanvas = ReturnType<typeof useCanvas>;
