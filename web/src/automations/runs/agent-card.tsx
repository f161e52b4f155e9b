import { Link } from "@tanstack/react-router";
import { ChevronDown, ChevronRight, Copy } from "lucide-react";
import { Markdown } from "../../markdown/markdown.tsx";
import { formatNumber } from "../../texts/format.ts";
import { isolate } from "../../texts/isolate.ts";
import { formatDuration } from "../../texts/format-duration.ts";
import { Button } from "../../ui/button.tsx";
import { copyText } from "../../ui/copy-text.ts";
import { notify } from "../../ui/notices.tsx";
import type { RunAgent } from "./queries.ts";
import { Cause, StepState } from "./state.tsx";
import { useRunTexts } from "./texts.ts";

interface AgentCardProps {
  agent: RunAgent;
  nameOf: (id: string) => string;
  isOpen: boolean;
  onToggle: () => void;
}

/** An agent of a run: its state, and its output when it is expanded. */
export function AgentCard({ agent, nameOf, isOpen, onToggle }: AgentCardProps) {
  const { status, error, agentId } = agent;
  const Chevron = isOpen ? ChevronDown : ChevronRight;
  return (
    <li className="rounded-lg border border-hairline bg-raised">
      <button
        type="button"
        aria-expanded={isOpen}
        onClick={onToggle}
        className={
          "flex min-h-11 w-full flex-wrap items-center gap-x-3 gap-y-1 rounded-lg px-3 py-2 " +
          "text-left hover:bg-hover"
        }
      >
        <Chevron aria-hidden size={16} className="shrink-0 text-muted" />
        <bdi className="min-w-0 flex-1 basis-40 truncate font-medium">
          {nameOf(agentId)}
        </bdi>
        <StepState status={status} />
        <FactLine agent={agent} nameOf={nameOf} />
      </button>
      {(error || isOpen) && (
        <div className="grid grid-cols-1 gap-3 px-3 pb-3">
          <Cause error={error} />
          {isOpen && <Output agent={agent} />}
        </div>
      )}
    </li>
  );
}

function FactLine({ agent, nameOf }: Pick<AgentCardProps, "agent" | "nameOf">) {
  const texts = useRunTexts();
  const { dependsOn, tries, startedAt, endedAt, usage } = agent;
  const facts = [
    dependsOn.length > 0 &&
      texts.waitsFor(dependsOn.map((id) => isolate(nameOf(id))).join(", ")),
    startedAt && endedAt && formatDuration(Date.parse(endedAt) - Date.parse(startedAt)),
    tries > 1 && texts.attempts(tries),
    usage && texts.tokens(formatNumber(usage.inputTokens + usage.outputTokens)),
  ].filter(Boolean);
  if (facts.length === 0) return null;
  return (
    <span className="basis-full truncate pl-7 text-xs text-muted" title={facts.join(" · ")}>
      {facts.join(" · ")}
    </span>
  );
}

function Output({ agent }: { agent: RunAgent }) {
  const texts = useRunTexts();
  const { output, conversationId, status } = agent;
  const copy = (text: string) => copyText(text).then(() => notify(texts.copied));
  return (
    <>
      {output ? (
        <div className="max-h-[60dvh] max-w-measure overflow-y-auto">
          <Markdown text={output} />
        </div>
      ) : (
        <p className="text-muted">{texts.noOutput}</p>
      )}
      <div className="flex flex-wrap items-center gap-3">
        {output && (
          <Button look="quiet" onClick={() => void copy(output)}>
            <Copy aria-hidden size={15} />
            {texts.copy}
          </Button>
        )}
        {conversationId && (
          <Link
            to="/c/$id"
            params={{ id: conversationId }}
            className="min-h-6 text-accent underline"
          >
            {status === "approval" ? texts.decide : texts.openConversation}
          </Link>
        )}
      </div>
    </>
  );
}
