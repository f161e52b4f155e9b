import {
  FailedDocumentRow,
  FailedRunRow,
  NewShareRow,
  RestOfFailed,
  WaitingRow,
} from "./needs-rows.tsx";
import { useNeedsTexts } from "./needs-texts.ts";
import { StartPart } from "./start-part.tsx";
import type { Needs } from "./use-needs.ts";

const SHOWN_REPLIES = 4;
const SHOWN_SHARES = 3;

/** The section of the start page; the caller leaves it out where nothing waits. */
export function NeedsYou({ needs }: { needs: Needs }) {
  const texts = useNeedsTexts();
  const { replies, runs, documents, shares } = needs;
  return (
    <StartPart title={texts.needsYou} to="/needs-you" more={texts.all}>
      <ul>
        {replies.data?.items.slice(0, SHOWN_REPLIES).map((reply) => (
          <WaitingRow key={reply.messageId} reply={reply} />
        ))}
        {runs?.items.map((run) => (
          <FailedRunRow key={run.id} run={run} />
        ))}
        {documents?.items.map((document) => (
          <FailedDocumentRow key={document.id} document={document} />
        ))}
        {shares.slice(0, SHOWN_SHARES).map((share) => (
          <NewShareRow key={`${share.type} ${share.id}`} share={share} />
        ))}
      </ul>
      <RestOfFailed hasRuns={runs?.hasMore} hasDocuments={documents?.hasMore} />
    </StartPart>
  );
}
