import { ShieldQuestionMark } from "lucide-react";
import { Suspense, useState } from "react";
import { toFailure } from "../api/failure.ts";
import { useErrorText } from "../texts/errors.ts";
import { Button } from "../ui/button.tsx";
import { lazyPart } from "../ui/lazy-part.ts";
import { AskCard } from "./ask-card.tsx";
import type { Decision, ThreadMessage } from "./queries.ts";
import { useToolName } from "./tool-name.ts";
import { useDecision } from "./use-decision.ts";
import { useChatTexts } from "./texts.ts";
import { isRecord } from "../api/is-record.ts";
import { INPUT_LOOK } from "../ui/field.tsx";

const ConnectForCall = lazyPart(
  () => import("../shell/connect/connect-for-call.tsx"),
  "ConnectForCall",
);
const VisitForCall = lazyPart(() => import("./visit-for-call.tsx"), "VisitForCall");
const AsksForLabel = lazyPart(
  () => import("../shell/labels/label-chip.tsx"),
  "AsksForLabel",
);

export interface ApprovalCardProps {
  conversationId: string;
  call: ThreadMessage["waiting"][number];
  /** Called when all calls are decided, so that the answer continues. */
  onDecided: () => void;
}

/** Asks for a decision whether a tool may run, and with which arguments. */
export function ApprovalCard({ conversationId, call, onDecided }: ApprovalCardProps) {
  const texts = useChatTexts();
  const tool = useToolName(call.name);
  const [edited, setEdited] = useState(() => JSON.stringify(call.arguments, null, 2));
  const [isEditing, setEditing] = useState(false);
  const [isInvalid, setInvalid] = useState(false);
  const decision = useDecision(conversationId, onDecided);
  const problem = useErrorText(decision.error && toFailure(decision.error));
  const decide = (choice: Decision["decision"]) => {
    const values = choice === "deny" ? undefined : parseObject(edited);
    setInvalid(choice !== "deny" && values === undefined);
    if (choice !== "deny" && values === undefined) return;
    const isChanged = JSON.stringify(values) !== JSON.stringify(call.arguments);
    decision.mutate({
      toolCallId: call.toolCallId,
      decision: choice,
      ...(values && isChanged && { arguments: values }),
    });
  };
  if (decision.isSuccess || !tool.isKnown) return null;
  return (
    <AskCard
      icon={ShieldQuestionMark}
      title={<bdi>{titleFor(call, tool.title, texts)}</bdi>}
      hint={
        <>
          <p>
            {hintFor(call, texts)}
            {call.label && (
              <Suspense>
                {" "}
                <AsksForLabel name={call.label} />
              </Suspense>
            )}
          </p>
          {tool.origin && (
            <p className="text-xs">
              <bdi>{tool.origin}</bdi>
            </p>
          )}
        </>
      }
      foot={
        <Decisions
          busy={decision.isPending}
          isErrand={call.because === "sign_in" || call.because === "visit"}
          onChange={isEditing ? undefined : () => setEditing(true)}
          onDecide={decide}
        />
      }
    >
      <ApprovalValues
        text={edited}
        values={call.arguments}
        isEditing={isEditing}
        isInvalid={isInvalid}
        onChange={setEdited}
      />
      {(isInvalid || problem) && (
        <p role="alert" className="text-danger">
          {isInvalid ? texts.invalidJson : problem}
        </p>
      )}
      {call.because === "sign_in" && (
        <Suspense>
          <ConnectForCall server={call.server ?? ""} />
        </Suspense>
      )}
      {call.visit && (
        <Suspense>
          <VisitForCall visit={call.visit} />
        </Suspense>
      )}
    </AskCard>
  );
}

/** A question where its user decides, else what the tool waits for. */
function titleFor(
  { because, server }: ApprovalCardProps["call"],
  tool: string,
  texts: ReturnType<typeof useChatTexts>,
): string {
  if (because === "sign_in" && server !== undefined) return texts.accessTitle(tool, server);
  return because === "visit" ? texts.visitTitle(tool) : texts.approvalTitle(tool);
}

function hintFor(
  { because }: ApprovalCardProps["call"],
  texts: ReturnType<typeof useChatTexts>,
): string {
  if (because === "sign_in") return texts.approvalSignIn;
  if (because === "visit") return texts.approvalVisit;
  return because === "open_world" ? texts.approvalAfterWeb : texts.approvalHint;
}

interface DecisionsProps {
  busy: boolean;
  /** It waits for what its user does elsewhere: then it only goes on, or not. */
  isErrand: boolean;
  /** Absent while the values are changed. */
  onChange: (() => void) | undefined;
  onDecide: (choice: Decision["decision"]) => void;
}

function Decisions({ busy, isErrand, onChange, onDecide }: DecisionsProps) {
  const texts = useChatTexts();
  return (
    <>
      <Button look="primary" busy={busy} onClick={() => onDecide("approve")}>
        {isErrand ? texts.approvalGoOn : texts.approve}
      </Button>
      {!isErrand && (
        <Button busy={busy} onClick={() => onDecide("always")}>
          {texts.always}
        </Button>
      )}
      {onChange && (
        <Button look="quiet" onClick={onChange}>
          {texts.changeValues}
        </Button>
      )}
      <Button look="danger" busy={busy} onClick={() => onDecide("deny")}>
        {texts.deny}
      </Button>
    </>
  );
}

function parseObject(text: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return isRecord(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

interface ApprovalValuesProps {
  /** As JSON. */
  text: string;
  /** The same, as the model wrote them. */
  values: Record<string, unknown>;
  isEditing: boolean;
  isInvalid: boolean;
  onChange: (text: string) => void;
}

/** What a tool is called with: to read, and to change as JSON. */
function ApprovalValues(props: ApprovalValuesProps) {
  const { text, values, isEditing, isInvalid, onChange } = props;
  const texts = useChatTexts();
  if (isEditing)
    return (
      <textarea
        autoFocus
        aria-label={texts.showArguments}
        aria-invalid={isInvalid}
        value={text}
        onChange={(event) => onChange(event.target.value)}
        spellCheck={false}
        className={`${INPUT_LOOK} field-sizing-content max-h-64 font-mono text-xs`}
      />
    );
  return (
    <dl
      tabIndex={0}
      aria-label={texts.showArguments}
      className={
        "grid max-h-64 grid-cols-[minmax(0,1fr)] gap-x-6 gap-y-1.5 overflow-y-auto empty:hidden " +
        "sm:grid-cols-[minmax(5rem,max-content)_minmax(0,1fr)]"
      }
    >
      {Object.entries(values).map(([name, value]) => (
        <div key={name} className="sm:contents">
          <dt className="max-w-48 text-muted wrap-anywhere">
            <bdi>{name}</bdi>
          </dt>
          <dd dir="auto" className="whitespace-pre-wrap wrap-anywhere">
            {typeof value === "string" ? value : JSON.stringify(value)}
          </dd>
        </div>
      ))}
    </dl>
  );
}
