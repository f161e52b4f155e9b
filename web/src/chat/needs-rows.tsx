import { useQueryClient } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import {
  type LucideIcon,
  Share2,
  ShieldQuestionMark,
  Telescope,
  Workflow,
} from "lucide-react";
import { SHARED_PATHS } from "../shell/shared-title-queries.ts";
import type { WaitingReply } from "../shell/waiting-queries.ts";
import { formatAgo } from "../texts/format.ts";
import { isolate } from "../texts/isolate.ts";
import { Button } from "../ui/button.tsx";
import { FileIcon } from "../ui/file-icon.tsx";
import { join } from "../ui/join.ts";
import { notifyFailure } from "../ui/notices.tsx";
import type { FailedRun } from "./failed-runs-queries.ts";
import type { FailedDocument } from "./needs-queries.ts";
import type { NewShare } from "./new-shares-queries.ts";
import { useNeedsTexts } from "./needs-texts.ts";
import { RowText, START_ROW } from "./start-part.tsx";
import { useChatTexts } from "./texts.ts";
import { useToolName } from "./tool-name.ts";
import { useDecision } from "./use-decision.ts";

/** A reply that waits: what it asks, where, and what it would do, to be decided here. */
export function WaitingRow({ reply }: { reply: WaitingReply }) {
  const { conversationId: id, title, name, calls, createdAt } = reply;
  const texts = useNeedsTexts();
  const { approvalTitle, untitled } = useChatTexts();
  const tool = useToolName(name);
  const queries = useQueryClient();
  const decision = useDecision(id, () => {
    void queries.invalidateQueries({ queryKey: ["conversation", id] });
  });
  const isPlan = name === "plan_research";
  const question = isPlan ? texts.research : approvalTitle(tool.title);
  // until the list is there without it; and one that comes later waits for its name
  if (decision.isSuccess || !tool.isKnown) return null;
  // what needs more than a yes is decided in its conversation, where all of it is shown
  const isSimple = !isPlan && reply.because === null && reply.arguments !== null;
  return (
    <li className="flex flex-wrap items-start gap-x-3">
      <Link
        to="/c/$id"
        params={{ id }}
        title={question}
        className={join(START_ROW, "-mr-0 flex-1 basis-52 items-start! py-2")}
      >
        <Sign icon={isPlan ? Telescope : ShieldQuestionMark} tint="tint-2" />
        <RowText name={question} more={isSimple && valuesOf(reply.arguments)}>
          <bdi>{title || untitled}</bdi>
          {calls > 1 && ` · ${texts.decisions(calls)}`} · {formatAgo(createdAt)}
        </RowText>
      </Link>
      {isSimple && (
        <RowDecisions
          question={question}
          busy={decision.isPending}
          onDecide={(choice) =>
            decision.mutate(
              { toolCallId: reply.toolCallId, decision: choice },
              { onError: notifyFailure },
            )
          }
        />
      )}
    </li>
  );
}

/** What a call was given, in a line: `title: Letter · content: Dear Ada`. */
function valuesOf(given: WaitingReply["arguments"]): string {
  return Object.entries(given ?? {})
    .map(([name, value]) => {
      const text = typeof value === "string" ? value : JSON.stringify(value);
      return `${isolate(name)}: ${isolate(text)}`;
    })
    .join(" · ");
}

interface RowDecisionsProps {
  question: string;
  busy: boolean;
  onDecide: (choice: "approve" | "deny") => void;
}

function RowDecisions({ question, busy, onDecide }: RowDecisionsProps) {
  const texts = useChatTexts();
  const choices = [
    { choice: "approve", look: "secondary", name: texts.approve },
    { choice: "deny", look: "danger", name: texts.deny },
  ] as const;
  return (
    <div className="flex gap-1.5 pb-2 pl-11 sm:pt-2">
      {choices.map(({ choice, look, name }) => (
        <Button
          key={choice}
          look={look}
          busy={busy}
          aria-label={`${name}: ${question}`}
          onClick={() => onDecide(choice)}
        >
          {name}
        </Button>
      ))}
    </div>
  );
}

export function FailedRunRow({ run: { id, name, createdAt } }: { run: FailedRun }) {
  const texts = useNeedsTexts();
  const title = texts.runFailed(name);
  return (
    <li>
      <Link to="/automations/runs/$id" params={{ id }} title={title} className={START_ROW}>
        <Sign icon={Workflow} tint="tint-1" />
        <RowText name={title}>
          {texts.run} · {formatAgo(createdAt)}
        </RowText>
      </Link>
    </li>
  );
}

export function FailedDocumentRow({ document }: { document: FailedDocument }) {
  const { id, fileName, updatedAt } = document;
  const texts = useNeedsTexts();
  return (
    <li>
      <Link to="/documents/d/$id" params={{ id }} title={fileName} className={START_ROW}>
        <FileIcon name={fileName} />
        <RowText name={fileName}>
          <span className="text-danger">{texts.document}</span> · {formatAgo(updatedAt)}
        </RowText>
      </Link>
    </li>
  );
}

export function NewShareRow({ share }: { share: NewShare }) {
  const { type, id, title, role, byName, at } = share;
  const texts = useNeedsTexts();
  const { untitled } = useChatTexts();
  const name = texts.sharedThing(byName, title || untitled);
  return (
    <li>
      <Link to={SHARED_PATHS[type] + id} title={name} className={START_ROW}>
        <Sign icon={Share2} tint="tint-7" />
        <RowText name={name}>
          {texts.types[type]} · {texts.roles[role]} · {formatAgo(at)}
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
export function RestOfFailed({ hasRuns, hasDocuments }: RestProps) {
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
