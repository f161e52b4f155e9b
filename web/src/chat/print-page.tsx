import { useQuery } from "@tanstack/react-query";
import { useParams } from "@tanstack/react-router";
import { useEffect } from "react";
import { Markdown } from "../markdown/markdown.tsx";
import { BackLink } from "../ui/back-link.tsx";
import { useDocumentTitle } from "../ui/document-title.ts";
import { Loading } from "../ui/loading.tsx";
import { Missing } from "./missing.tsx";
import { conversationQuery, type ThreadMessage, wholeThreadQuery } from "./queries.ts";
import { usePlace } from "../texts/place.ts";
import { useChatTexts } from "./texts.ts";

/** Formulas and code are shown a moment after the text. */
const SETTLE_MS = 800;

/** The whole thread on paper: every message, its citations resolved to file and page. */
export function PrintPage() {
  const { id } = useParams({ from: "/app/c/$id/print" });
  const texts = useChatTexts();
  const conversation = useQuery(conversationQuery(id));
  const { data, error, refetch } = useQuery(wholeThreadQuery(id));
  useDocumentTitle(conversation.data?.title ?? "");
  useEffect(() => {
    if (!data) return undefined;
    const timer = setTimeout(() => window.print(), SETTLE_MS);
    return () => clearTimeout(timer);
  }, [data]);
  if (error) return <Missing error={error} onRetry={() => void refetch()} />;
  if (!data) return <Loading />;
  return (
    <div className="h-full overflow-y-auto bg-page print:h-auto print:overflow-visible">
      <div className="mx-auto grid max-w-measure gap-6 p-6 pt-3 print:pt-6">
        <div className="pl-6 md:pl-0 print:hidden">
          <BackLink to={`/c/${id}`} label={texts.backToConversation} />
        </div>
        <h1 className="text-2xl">
          <bdi>{conversation.data?.title}</bdi>
        </h1>
        {data.map((message) => (
          <PrintedMessage key={message.id} message={message} />
        ))}
      </div>
    </div>
  );
}

function PrintedMessage({ message }: { message: ThreadMessage }) {
  const texts = useChatTexts();
  const placeOf = usePlace();
  const cited = message.sources.filter(({ cited }) => cited);
  return (
    <article className="grid gap-1">
      <h2 className="font-sans text-xs text-muted">
        {message.role === "user" ? texts.you : texts.reply}
      </h2>
      {message.role === "user" ? (
        <p className="text-base whitespace-pre-wrap">{message.content}</p>
      ) : (
        <Markdown text={message.content} />
      )}
      {cited.length > 0 && (
        <ol className="text-xs text-muted">
          {cited.map((source) => (
            <li key={source.index}>
              [{source.index}] <bdi>{source.fileName}</bdi>
              {placeOf(source) && (
                <>
                  , <bdi>{placeOf(source)}</bdi>
                </>
              )}
            </li>
          ))}
        </ol>
      )}
    </article>
  );
}
