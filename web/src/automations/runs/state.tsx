import {
  CircleAlert,
  CircleCheck,
  CircleDashed,
  CircleHelp,
  CircleSlash,
  type LucideIcon,
} from "lucide-react";
import { type StoredFailure, toStoredFailure } from "../../api/failure.ts";
import { useErrorText } from "../../texts/errors.ts";
import { join } from "../../ui/join.ts";
import type { RunAgent, RunSummary } from "./queries.ts";
import { useRunTexts } from "./texts.ts";

type StepStatus = RunAgent["status"];
type Look = { icon: LucideIcon; color: string };

const GOING_ON: Look = { icon: CircleDashed, color: "text-accent" };
const ENDED: Look = { icon: CircleSlash, color: "text-muted" };
const LOOKS: Record<RunSummary["status"] | StepStatus, Look> = {
  reading: GOING_ON,
  running: GOING_ON,
  waiting: { icon: CircleDashed, color: "text-muted" },
  approval: { icon: CircleHelp, color: "text-warn" },
  completed: { icon: CircleCheck, color: "text-muted" },
  failed: { icon: CircleAlert, color: "text-danger" },
  skipped: ENDED,
  cancelled: ENDED,
  unmatched: ENDED,
};

/** The icon of a state; its word stands beside it. */
function StateIcon({ status }: { status: keyof typeof LOOKS }) {
  const { icon: Icon, color } = LOOKS[status];
  return <Icon aria-hidden size={16} className={join("shrink-0", color)} />;
}

export function RunState({ status }: { status: RunSummary["status"] }) {
  const texts = useRunTexts();
  return <State status={status} word={texts.statuses[status]} />;
}

export function StepState({ status }: { status: StepStatus }) {
  const texts = useRunTexts();
  return <State status={status} word={texts.steps[status]} />;
}

function State({ status, word }: { status: keyof typeof LOOKS; word: string }) {
  return (
    <span className={join("inline-flex items-center gap-1", LOOKS[status].color)}>
      <StateIcon status={status} />
      {word}
    </span>
  );
}

/** Why something failed, in the reader's language. */
export function Cause({ error }: { error: StoredFailure | null }) {
  const text = useErrorText(error && toStoredFailure(error));
  return text ? <p className="text-xs text-danger wrap-anywhere">{text}</p> : null;
}
