import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { Button } from "../../ui/button.tsx";
import { notifyFailure } from "../../ui/notices.tsx";
import { setViewContext, viewContextsQuery } from "./queries.ts";
import { useViewTexts } from "./texts.ts";

interface AddedContextProps {
  conversationId: string;
  toolCallId: string;
  server: string;
}

/** What a view added to what the model reads next, and how to take it back. */
export function AddedContext({ conversationId, toolCallId, server }: AddedContextProps) {
  const texts = useViewTexts();
  const queries = useQueryClient();
  const query = viewContextsQuery(conversationId);
  const { data = [] } = useQuery(query);
  const remove = useMutation({
    mutationFn: () => setViewContext({ conversationId, toolCallId, server, content: "" }),
    onError: notifyFailure,
    onSettled: () => queries.invalidateQueries({ queryKey: query.queryKey }),
  });
  const added = data.find((one) => one.toolCallId === toolCallId);
  if (!added) return null;
  return (
    <div className="flex shrink-0 items-start gap-2 border-t border-hairline px-3 py-1.5 text-sm">
      <details className="min-w-0 flex-1">
        <summary>{texts.added}</summary>
        <pre
          dir="auto"
          tabIndex={0}
          className="max-h-40 overflow-auto text-xs whitespace-pre-wrap wrap-anywhere text-muted"
        >
          {added.content}
        </pre>
      </details>
      <Button look="quiet" onClick={() => remove.mutate()} disabled={remove.isPending}>
        {texts.remove}
      </Button>
    </div>
  );
}
