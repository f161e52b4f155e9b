import { useQueryClient } from "@tanstack/react-query";
import { CheckCheck, Inbox } from "lucide-react";
import type { ReactNode } from "react";
import { Button } from "../ui/button.tsx";
import { More } from "../ui/more.tsx";
import { Page } from "../ui/page.tsx";
import { Loading } from "../ui/loading.tsx";
import { Empty, Problem } from "../ui/states.tsx";
import {
  FailedDocumentRow,
  FailedRunRow,
  NewShareRow,
  RestOfFailed,
  WaitingRow,
} from "./needs-rows.tsx";
import { useNeedsTexts } from "./needs-texts.ts";
import { markSharesRead, newSharesQuery } from "./new-shares-queries.ts";
import { StartPart } from "./start-part.tsx";
import { type Needs, useNeeds } from "./use-needs.ts";

/** All that waits for a person, in the order of its urgency. */
export function NeedsPage() {
  const texts = useNeedsTexts();
  const needs = useNeeds();
  const { replies } = needs;
  return (
    <Page title={texts.needsYou}>
      {replies.error && (
        <Problem error={replies.error} onRetry={() => void replies.refetch()} />
      )}
      {!needs.isKnown && <Loading shape="rows" lines={6} />}
      {needs.isKnown && needs.isEmpty && !replies.error && (
        <Empty icon={Inbox} picture="rows" title={texts.nothing}>
          {texts.nothingHint}
        </Empty>
      )}
      {needs.isKnown && (
        <div className="grid grid-cols-[minmax(0,1fr)] gap-8">
          <Waiting needs={needs} />
          <Failed needs={needs} />
          <Shared needs={needs} />
        </div>
      )}
    </Page>
  );
}

/** Rows with rules between them. */
function Rows({ children }: { children: ReactNode }) {
  return <ul className="divide-y divide-hairline">{children}</ul>;
}

function Waiting({ needs: { replies } }: { needs: Needs }) {
  const texts = useNeedsTexts();
  const items = replies.data?.items ?? [];
  if (items.length === 0) return null;
  return (
    <StartPart title={texts.waiting}>
      <Rows>
        {items.map((reply) => (
          <WaitingRow key={`${reply.messageId} ${reply.toolCallId}`} reply={reply} />
        ))}
      </Rows>
      <More list={replies} />
    </StartPart>
  );
}

function Failed({ needs: { runs, documents } }: { needs: Needs }) {
  const texts = useNeedsTexts();
  if (!runs?.items.length && !documents?.items.length) return null;
  return (
    <StartPart title={texts.failed}>
      <Rows>
        {runs?.items.map((run) => (
          <FailedRunRow key={run.id} run={run} />
        ))}
        {documents?.items.map((document) => (
          <FailedDocumentRow key={document.id} document={document} />
        ))}
      </Rows>
      <RestOfFailed hasRuns={runs?.hasMore} hasDocuments={documents?.hasMore} />
    </StartPart>
  );
}

function Shared({ needs: { shares } }: { needs: Needs }) {
  const texts = useNeedsTexts();
  const queries = useQueryClient();
  if (shares.length === 0) return null;
  const markRead = () => {
    markSharesRead(shares);
    void queries.invalidateQueries({ queryKey: newSharesQuery.queryKey });
  };
  return (
    <StartPart
      title={texts.shared}
      actions={
        <Button look="quiet" onClick={markRead}>
          <CheckCheck aria-hidden size={16} className="shrink-0" />
          {texts.markRead}
        </Button>
      }
    >
      <Rows>
        {shares.map((share) => (
          <NewShareRow key={`${share.type} ${share.id}`} share={share} />
        ))}
      </Rows>
    </StartPart>
  );
}
