import { useInfiniteQuery, useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { type LucideIcon, ShieldQuestionMark, Telescope, Workflow } from "lucide-react";
import { meQuery } from "../shell/queries.ts";
import { formatAgo } from "../texts/format.ts";
import { Button } from "../ui/button.tsx";
import { FileIcon } from "../ui/file-icon.tsx";
import { join } from "../ui/join.ts";
import { failedRunsQuery } from "./failed-runs-queries.ts";
import {
  failedDocumentsQuery,
  type WaitingReply,
  waitingRepliesQuery,
} from "./needs-queries.ts";
import { useNeedsTexts } from "./needs-texts.ts";
import { RowText, START_ROW, StartPart } from "./start-part.tsx";
import { useChatTexts } from "./texts.ts";
import { useToolName } from "./tool-name.ts";

/** What waits for the person: decisions first, then what failed. */
export function useNeeds() {
  const { data: me } = useQuery(meQuery);
  const may = (permission: string) => me?.permissions.includes(permission) ?? false;
  const replies = useInfiniteQuery(waitingRepliesQuery(may("tool:approve")));
  const runs = useQuery({ ...failedRunsQuery, enabled: may("automation:read") });
  const owner = may("document:read") ? me?.id : undefined;
  const documents = useQuery(failedDocumentsQuery(owner));
  const lists = [replies, runs, documents];
  return {
    replies,
    runs: runs.data,
    documents: documents.data,
    /** Whether it is known: what fails to load is not waited for. */
    isKnown: !lists.some(({ isLoading, failureCount }) => isLoading && failureCount === 0),
    isEmpty: !lists.some(({ data }) => data && data.items.length > 0),
  };
}

/** The section of the start page; the caller leaves it out where nothing waits. */
export function NeedsYou({ needs }: { needs: ReturnType<typeof useNeeds> }) {
  const texts = useNeedsTexts();
  const { replies, runs, documents } = needs;
  return (
    <StartPart title={texts.needsYou}>
      <ul>
        {replies.data?.items.map((reply) => (
          <Reply key={reply.messageId} reply={reply} />
        ))}
      </ul>
      {replies.hasNextPage && (
        <Button
          look="quiet"
          className="ml-8 text-muted"
          busy={replies.isFetchingNextPage}
          onClick={() => void replies.fetchNextPage()}
        >
          {texts.moreDecisions}
        </Button>
      )}
      <ul>
        {runs?.items.map(({ id, name, createdAt }) => (
          <li key={id}>
            <Link
              to="/automations/runs/$id"
              params={{ id }}
              title={texts.runFailed(name)}
              className={START_ROW}
            >
              <Sign icon={Workflow} tint="tint-1" />
              <RowText name={texts.runFailed(name)}>
                {texts.run} · {formatAgo(createdAt)}
              </RowText>
            </Link>
          </li>
        ))}
        {documents?.items.map(({ id, fileName, updatedAt }) => (
          <li key={id}>
            <Link
              to="/documents/d/$id"
              params={{ id }}
              title={fileName}
              className={START_ROW}
            >
              <FileIcon name={fileName} />
              <RowText name={fileName}>
                <span className="text-danger">{texts.document}</span> ·{" "}
                {formatAgo(updatedAt)}
              </RowText>
            </Link>
          </li>
        ))}
      </ul>
      <Rest hasRuns={runs?.hasMore} hasDocuments={documents?.hasMore} />
    </StartPart>
  );
}

function Reply({ reply }: { reply: WaitingReply }) {
  const { conversationId: id, title, name, calls, createdAt } = reply;
  const texts = useNeedsTexts();
  const { approvalTitle, untitled } = useChatTexts();
  const tool = useToolName(name);
  const isPlan = name === "plan_research";
  const question = isPlan ? texts.research : approvalTitle(tool.title);
  return (
    <li>
      <Link to="/c/$id" params={{ id }} title={question} className={START_ROW}>
        <Sign icon={isPlan ? Telescope : ShieldQuestionMark} tint="tint-2" />
        <RowText name={question}>
          <bdi>{title || untitled}</bdi>
          {calls > 1 && ` · ${texts.decisions(calls)}`} · {formatAgo(createdAt)}
        </RowText>
      </Link>
    </li>
  );
}

interface SignProps {
  icon: LucideIcon;
  tint: string;
}

function Sign({ icon: Icon, tint }: SignProps) {
  return (
    <span
      aria-hidden
      className={join(
        "inline-flex size-8 shrink-0 items-center justify-center rounded-full",
        tint,
      )}
    >
      <Icon size={16} />
    </span>
  );
}

interface RestProps {
  hasRuns: boolean | undefined;
  hasDocuments: boolean | undefined;
}

const REST_LINK =
  "inline-flex min-h-6 items-center text-sm text-muted hover:text-accent pointer-coarse:min-h-11";

/** The ways to what failed beside what is shown. */
function Rest({ hasRuns, hasDocuments }: RestProps) {
  const texts = useNeedsTexts();
  if (!hasRuns && !hasDocuments) return null;
  return (
    <p className="flex flex-wrap gap-x-4 pt-1">
      {hasRuns && (
        <Link to="/automations/runs" search={{ state: "failed" }} className={REST_LINK}>
          {texts.allRuns}
        </Link>
      )}
      {hasDocuments && (
        <Link to="/documents" search={{ status: "FAILED" }} className={REST_LINK}>
          {texts.allDocuments}
        </Link>
      )}
    </p>
  );
}
