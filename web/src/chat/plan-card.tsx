import { useQuery } from "@tanstack/react-query";
import { Plus, Telescope, X } from "lucide-react";
import { useState } from "react";
import { toFailure } from "../api/failure.ts";
import { useErrorText } from "../texts/errors.ts";
import { Button } from "../ui/button.tsx";
import { INPUT_LOOK } from "../ui/field.tsx";
import { IconButton } from "../ui/icon-button.tsx";
import { TextField } from "../ui/text-field.tsx";
import type { ApprovalCardProps } from "./approval-card.tsx";
import { AskCard } from "./ask-card.tsx";
import type { Decision } from "./queries.ts";
import { useResearchTexts } from "./research-texts.ts";
import { toolsetsQuery } from "./switch-queries.ts";
import { useDecision } from "./use-decision.ts";

/** As the tool takes them. */
const MAX_STEPS = 12;
const MAX_STEP_CHARACTERS = 500;

/** The plan of a research before it starts: its reader changes and approves it. */
export function PlanCard({ conversationId, call, onDecided }: ApprovalCardProps) {
  const texts = useResearchTexts();
  const { data: toolsets } = useQuery(toolsetsQuery);
  const most = toolsets?.find(({ name }) => name === "research")?.budget;
  const [steps, setSteps] = useState(() => stepsOf(call.arguments));
  const [limits, setLimits] = useState({ searches: "", pages: "" });
  const decision = useDecision(conversationId, onDecided);
  const problem = useErrorText(decision.error && toFailure(decision.error));
  const decide = (choice: Decision["decision"]) =>
    decision.mutate({
      toolCallId: call.toolCallId,
      decision: choice,
      ...(choice !== "deny" && {
        arguments: { steps: filled(steps), budget: set(limits) },
      }),
    });
  if (decision.isSuccess) return null;
  const canStart = filled(steps).length > 0 && !decision.isPending;
  return (
    <AskCard
      icon={Telescope}
      title={texts.approve}
      hint={texts.hint}
      foot={
        <>
          <Button
            look="primary"
            disabled={!canStart}
            busy={decision.isPending}
            onClick={() => decide("approve")}
          >
            {texts.start}
          </Button>
          <Button disabled={!canStart} onClick={() => decide("always")}>
            {texts.always}
          </Button>
          <Button look="danger" busy={decision.isPending} onClick={() => decide("deny")}>
            {texts.deny}
          </Button>
        </>
      }
    >
      <Steps steps={steps} onChange={setSteps} />
      <div className="grid grid-cols-2 gap-3">
        {(["searches", "pages"] as const).map((name) => (
          <TextField
            key={name}
            label={texts[name]}
            type="number"
            min={1}
            max={most?.[name]}
            placeholder={most?.[name]?.toString()}
            value={limits[name]}
            hint={most?.[name] !== undefined && texts.most(most[name])}
            onChange={({ target }) => setLimits({ ...limits, [name]: target.value })}
          />
        ))}
      </div>
      {most?.["tokens"] !== undefined && most["minutes"] !== undefined && (
        <p className="text-xs text-muted">
          {texts.bounds(most["tokens"], most["minutes"])}
        </p>
      )}
      {problem && (
        <p role="alert" className="text-danger">
          {problem}
        </p>
      )}
    </AskCard>
  );
}

interface StepsProps {
  steps: readonly string[];
  onChange: (steps: string[]) => void;
}

function Steps({ steps, onChange }: StepsProps) {
  const texts = useResearchTexts();
  return (
    <>
      <ol className="grid gap-2">
        {steps.map((step, at) => (
          <li key={at} className="flex items-center gap-2">
            <span aria-hidden className="w-5 shrink-0 text-right text-muted tabular-nums">
              {at + 1}.
            </span>
            <input
              dir="auto"
              aria-label={texts.step(at + 1)}
              value={step}
              maxLength={MAX_STEP_CHARACTERS}
              onChange={({ target }) => onChange(steps.with(at, target.value))}
              className={INPUT_LOOK}
            />
            <IconButton
              icon={X}
              label={texts.remove(at + 1)}
              onClick={() => onChange(steps.filter((_, other) => other !== at))}
            />
          </li>
        ))}
      </ol>
      {steps.length < MAX_STEPS && (
        <Button
          look="quiet"
          className="-ml-2.75 justify-self-start"
          onClick={() => onChange([...steps, ""])}
        >
          <Plus aria-hidden size={16} />
          {texts.add}
        </Button>
      )}
    </>
  );
}

function stepsOf({ steps }: Record<string, unknown>): string[] {
  if (!Array.isArray(steps)) return [];
  return steps.filter((step) => typeof step === "string").slice(0, MAX_STEPS);
}

function filled(steps: readonly string[]): string[] {
  return steps.map((step) => step.trim()).filter(Boolean);
}

/** The limits that were set: others stay as they are allowed. */
function set(limits: Record<string, string>): Record<string, number> {
  const given = Object.entries(limits).map(([name, text]) => [name, Number(text)] as const);
  return Object.fromEntries(
    given.filter(([, count]) => Number.isInteger(count) && count > 0),
  );
}
