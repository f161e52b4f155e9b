import { useQuery } from "@tanstack/react-query";
import { useParams } from "@tanstack/react-router";
import { toFailure } from "../api/failure.ts";
import { Empty, Loading, Problem } from "../ui/states.tsx";
import { Conversation } from "./conversation.tsx";
import { conversationQuery } from "./queries.ts";
import { useChatTexts } from "./texts.ts";

/** A conversation, or the beginning of one. */
export function ChatPage() {
  const { id } = useParams({ strict: false });
  return id === undefined ? <Conversation key="new" /> : <Stored key={id} id={id} />;
}

function Stored({ id }: { id: string }) {
  const texts = useChatTexts();
  const { data, error, refetch } = useQuery(conversationQuery(id));
  if (data) return <Conversation stored={data} />;
  if (!error) return <Loading className="mx-auto max-w-measure pt-16" lines={6} />;
  const { status } = toFailure(error);
  if (status === 404 || status === 400) return <Empty title={texts.gone}>{texts.goneHint}</Empty>;
  return (
    <div className="mx-auto max-w-measure p-4 pt-16">
      <Problem error={error} onRetry={() => void refetch()} />
    </div>
  );
}
