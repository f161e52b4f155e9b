import { keepPreviousData, useInfiniteQuery, useQuery } from "@tanstack/react-query";
import { useParams } from "@tanstack/react-router";
import { useMemo, useState } from "react";
import { toFailure } from "../api/failure.ts";
import { Empty, Loading, Problem } from "../ui/states.tsx";
import { Conversation } from "./conversation.tsx";
import { conversationQuery, threadQuery } from "./queries.ts";
import { useChatTexts } from "./texts.ts";

/** A conversation, or the beginning of one. */
export function ChatPage() {
  const { id } = useParams({ strict: false });
  return id === undefined ? <Conversation messages={[]} /> : <Stored key={id} id={id} />;
}

function Stored({ id }: { id: string }) {
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
        messages={messages}
        onBranch={setLeaf}
        loadOlder={
          thread.hasNextPage && !thread.isFetching ? () => void thread.fetchNextPage() : undefined
        }
      />
    );
  }
  if (!error) return <Loading className="mx-auto max-w-measure pt-16" lines={6} />;
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

function Missing({ error, onRetry }: { error: unknown; onRetry: () => void }) {
  const texts = useChatTexts();
  const { status } = toFailure(error);
  if (status === 404 || status === 400) return <Empty title={texts.gone}>{texts.goneHint}</Empty>;
  return (
    <div className="mx-auto max-w-measure p-4 pt-16">
      <Problem error={error} onRetry={onRetry} />
    </div>
  );
}
