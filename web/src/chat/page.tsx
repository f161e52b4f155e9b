import { keepPreviousData, useInfiniteQuery, useQuery } from "@tanstack/react-query";
import { useParams, useSearch } from "@tanstack/react-router";
import { Suspense, useMemo, useState } from "react";
import { join } from "../ui/join.ts";
import { Loading } from "../ui/loading.tsx";
import { Conversation } from "./conversation.tsx";
import { Missing } from "./missing.tsx";
import { conversationQuery, threadQuery } from "./queries.ts";
import { lazyPart } from "../ui/lazy-part.ts";

const CanvasBeside = lazyPart(() => import("../canvas/beside.tsx"), "CanvasBeside");

/** A conversation, or the beginning of one; and a canvas beside it. */
export function ChatPage() {
  const { id, canvas } = useParams({ strict: false });
  const { side } = useSearch({ strict: false });
  const isHidden = canvas !== undefined && side !== "chat";
  return (
    <div className="flex h-full flex-col lg:flex-row">
      <div
        className={join(
          "min-h-0 min-w-0 flex-1 lg:block",
          canvas !== undefined && "lg:w-100 lg:flex-none xl:w-124",
          isHidden && "hidden",
        )}
      >
        {id === undefined ? (
          <Conversation messages={[]} />
        ) : (
          <Stored key={id} id={id} canvasId={canvas} />
        )}
      </div>
      {id !== undefined && canvas !== undefined && (
        <Suspense fallback={<Loading className="flex-1" lines={8} />}>
          <CanvasBeside conversationId={id} canvasId={canvas} isChat={side === "chat"} />
        </Suspense>
      )}
    </div>
  );
}

function Stored({ id, canvasId }: { id: string; canvasId: string | undefined }) {
  const [leaf, setLeaf] = useState<string>();
  const conversation = useQuery(conversationQuery(id));
  const thread = useInfiniteQuery({
    ...threadQuery(id, leaf),
    placeholderData: keepPreviousData,
  });
  const messages = useMemo(
    () => thread.data?.pages.toReversed().flatMap(({ items }) => items),
    [thread.data],
  );
  const error = conversation.error ?? thread.error;
  if (messages && conversation.data) {
    return (
      <Conversation
        stored={conversation.data}
        canvasId={canvasId}
        messages={messages}
        onBranch={setLeaf}
        hasOlder={thread.hasNextPage}
        loadOlder={
          thread.hasNextPage && !thread.isFetching
            ? () => void thread.fetchNextPage()
            : undefined
        }
      />
    );
  }
  if (!error) return <LoadingThread />;
  return (
    <Missing
      error={error}
      onRetry={() => {
        void conversation.refetch();
        void thread.refetch();
      }}
    />
  );
}

/** The outline of a thread, and of the composer below it. */
function LoadingThread() {
  return (
    <div className="flex h-full flex-col">
      <Loading shape="thread" className="min-h-0 flex-1 overflow-hidden" />
      <div aria-hidden className="animate-late mx-auto w-full max-w-[46rem] px-4 pb-8">
        <div className="h-24 rounded-xl border border-hairline bg-raised" />
      </div>
    </div>
  );
}
