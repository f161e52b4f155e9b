import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import {
  FilePen,
  GitCompare,
  Languages,
  Lightbulb,
  MessageCircleQuestion,
  ScanText,
} from "lucide-react";
import { awaitsFirst } from "../shell/awaits-first.ts";
import { usePermission } from "../shell/queries.ts";
import { formatAgo } from "../texts/format.ts";
import { Button } from "../ui/button.tsx";
import { FileIcon } from "../ui/file-icon.tsx";
import { Glyph } from "../ui/glyph.tsx";
import { join } from "../ui/join.ts";
import {
  FailedDocumentRow,
  FailedRunRow,
  NewShareRow,
  RestOfFailed,
  WaitingRow,
} from "./needs-rows.tsx";
import { useNeedsTexts } from "./needs-texts.ts";
import { agentQuery, agentsQuery, lastDocumentsQuery } from "./queries.ts";
import { RowText, START_ROW, StartPart } from "./start-part.tsx";
import { useChatTexts } from "./texts.ts";
import { type Needs, useNeeds } from "./use-needs.ts";

const STARTERS = [
  ["summarise", ScanText],
  ["compare", GitCompare],
  ["draft", FilePen],
  ["translate", Languages],
  ["explain", Lightbulb],
] as const;
const SHOWN_AGENTS = 6;

const SHOWN_REPLIES = 4;
const SHOWN_SHARES = 3;

interface StartMoreProps {
  /** Who is to answer, where it is an agent. */
  agentId: string | null | undefined;
  onStarter: (text: string) => void;
  onAgent: (id: string) => void;
}

/** Below the composer before the first message; a section without content is not drawn. */
export function StartMore({ agentId, onStarter, onAgent }: StartMoreProps) {
  return (
    <div className="mx-auto grid w-full max-w-[46rem] grid-cols-[minmax(0,1fr)] gap-7 px-4 pb-12">
      <Starters agentId={agentId} onStarter={onStarter} />
      <Agents agentId={agentId} onAgent={onAgent} />
      <NeedsAndDocuments />
    </div>
  );
}

/** Beginnings of questions, or those of the agent: they fill the composer, and never send. */
function Starters({ agentId, onStarter }: Omit<StartMoreProps, "onAgent">) {
  const texts = useChatTexts();
  const { data: agent } = useQuery(agentQuery(agentId));
  const own = agentId ? (agent?.starters ?? []) : undefined;
  const starters =
    own?.map((text) => ({ key: text, name: text, text, Icon: MessageCircleQuestion })) ??
    STARTERS.map(([key, Icon]) => {
      return { key, name: texts.starterNames[key], text: texts.starterTexts[key], Icon };
    });
  if (starters.length === 0) return null;
  return (
    <div
      role="group"
      aria-label={texts.starters}
      className="-mx-4 overflow-x-auto px-2 [scrollbar-width:none] md:-mx-2 md:px-0"
    >
      <ul className="flex gap-1 md:flex-wrap md:gap-0">
        {starters.map(({ key, name, text, Icon }) => (
          <li key={key} className="max-w-full shrink-0">
            <Button
              look="quiet"
              className="max-w-full px-2 text-muted hover:text-ink"
              title={own && text}
              onClick={() => onStarter(text)}
            >
              <Icon aria-hidden size={16} className="shrink-0" />
              <bdi className="truncate">{name}</bdi>
            </Button>
          </li>
        ))}
      </ul>
    </div>
  );
}

/** The agents that the person marked, else those that changed last. */
function Agents({ agentId, onAgent }: Omit<StartMoreProps, "onStarter">) {
  const texts = useChatTexts();
  const { data } = useQuery(agentsQuery);
  const { favorites = [], others = [] } = data ?? {};
  const shown = (favorites.length > 0 ? favorites : others).slice(0, SHOWN_AGENTS);
  if (shown.length === 0) return null;
  return (
    <StartPart title={texts.yourAgents} to="/agents" more={texts.allAgents}>
      <ul className="flex flex-wrap gap-1.5">
        {shown.map(({ id, name, icon }) => (
          <li key={id} className="max-w-full">
            <button
              type="button"
              onClick={() => onAgent(id)}
              title={name}
              aria-pressed={id === agentId}
              className={join(
                "flex min-h-9 max-w-full items-center gap-2 rounded-full border bg-raised",
                "pr-3.5 pl-1.5 font-medium hover:shadow-1 pointer-coarse:min-h-11",
                id === agentId
                  ? "border-accent bg-accent-soft"
                  : "border-hairline-strong hover:border-control",
              )}
            >
              <Glyph value={icon} id={id} name={name} size="small" />
              <bdi className="truncate">{name}</bdi>
            </button>
          </li>
        ))}
      </ul>
    </StartPart>
  );
}

/** Side by side where something waits; else the documents take both columns. */
function NeedsAndDocuments() {
  const needs = useNeeds();
  const agents = useQuery(agentsQuery);
  // nothing that is there moves away: the agents above take one row or more
  const isAboveKnown = !awaitsFirst(agents);
  if (!needs.isKnown || !isAboveKnown) return null;
  if (needs.isEmpty) return <Documents />;
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-x-10 gap-y-7 sm:grid-cols-[repeat(2,minmax(0,1fr))]">
      <NeedsYou needs={needs} />
      <Documents isBeside />
    </div>
  );
}

/** The section of the start page; the caller leaves it out where nothing waits. */
function NeedsYou({ needs }: { needs: Needs }) {
  const texts = useNeedsTexts();
  const { replies, runs, documents, shares } = needs;
  return (
    <StartPart title={texts.needsYou} to="/needs-you" more={texts.all}>
      <ul>
        {replies.data?.items.slice(0, SHOWN_REPLIES).map((reply) => (
          <WaitingRow key={`${reply.messageId} ${reply.toolCallId}`} reply={reply} />
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

/** `isBeside`: another section stands beside it. */
function Documents({ isBeside = false }: { isBeside?: boolean }) {
  const texts = useChatTexts();
  const mayRead = usePermission("document:read");
  const { data } = useQuery({ ...lastDocumentsQuery, enabled: mayRead });
  if (!data || data.items.length === 0) return null;
  return (
    <StartPart title={texts.lastDocuments} to="/documents" more={texts.allDocuments}>
      <ul className={join("grid gap-x-10", !isBeside && "sm:grid-cols-2")}>
        {data.items.map(({ id, fileName, updatedAt }) => (
          <li key={id} className="min-w-0">
            <Link
              to="/documents/d/$id"
              params={{ id }}
              title={fileName}
              className={START_ROW}
            >
              <FileIcon name={fileName} />
              <RowText name={fileName}>{formatAgo(updatedAt)}</RowText>
            </Link>
          </li>
        ))}
      </ul>
    </StartPart>
  );
}
