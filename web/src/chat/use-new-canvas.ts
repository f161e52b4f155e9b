import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { usePermission } from "../shell/queries.ts";
import { notifyFailure } from "../ui/notices.tsx";
import { createCanvas } from "./queries.ts";

interface NewCanvas {
  title: string;
  content: string;
}

/**
 * Makes a canvas in a conversation and opens it beside it, an empty one in the editor.
 * @returns nothing where the roles of the person do not permit it.
 */
export function useNewCanvas(
  conversationId: string,
): ((canvas: NewCanvas) => void) | undefined {
  const queries = useQueryClient();
  const navigate = useNavigate();
  const creation = useMutation({
    mutationFn: (canvas: NewCanvas) => createCanvas({ ...canvas, conversationId }),
    async onSuccess({ id, content }) {
      void queries.invalidateQueries({ queryKey: ["canvases"] });
      await navigate({
        to: "/c/$id/canvas/$canvas",
        params: { id: conversationId, canvas: id },
        search: content === "" ? { view: "edit" } : {},
      });
    },
    onError: notifyFailure,
  });
  const isPermitted = usePermission("canvas:create");
  return isPermitted && !creation.isPending ? creation.mutate : undefined;
}
