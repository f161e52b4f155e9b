import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useEffect } from "react";
import { meQuery, usePermission } from "../shell/queries.ts";
import { canvasQuery, stateQuery } from "./queries.ts";

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
