import { useQuery } from "@tanstack/react-query";
import { type ReactNode, useDeferredValue, useState } from "react";
import { type Subject, subjectsQuery } from "../../shell/subject-queries.ts";
import { useChange } from "../../shell/use-change.ts";
import { isolate } from "../../texts/isolate.ts";
import { Button } from "../../ui/button.tsx";
import { Finder } from "../../ui/finder.tsx";
import { notify } from "../../ui/notices.tsx";
import { Problem } from "../../ui/states.tsx";
import { grant, type GrantableFlow, grantableFlowsQuery, revoke } from "./queries.ts";
import { useFlowAdminTexts } from "./texts.ts";

/** Grants a flow to a user or to the members of a group, or revokes it. */
export function GrantForm() {
  const texts = useFlowAdminTexts();
  const [flow, setFlow] = useState<GrantableFlow>();
  const [subject, setSubject] = useState<Subject>();
  const change = useChange({
    keys: [["flow-permissions"]],
    async run(kind: "grant" | "revoke") {
      if (!flow || !subject) return;
      if (kind === "revoke") {
        notify((await revoke(flow.id, subject)) ? texts.revoked : texts.nothingRevoked);
        return;
      }
      const count = await grant(flow.id, subject);
      const isGroup = subject.subjectType === "group";
      notify(isGroup ? texts.grantedGroup(count) : texts.granted(isolate(subject.name)));
    },
    onDone: () => setSubject(undefined),
  });
  const isReady = flow !== undefined && subject !== undefined;
  return (
    <div className="grid max-w-xl grid-cols-1 gap-4">
      {flow ? (
        <Chosen label={texts.flow} name={flow.name} onChange={() => setFlow(undefined)} />
      ) : (
        <FlowFinder onChoose={setFlow} />
      )}
      {subject ? (
        <Chosen
          label={texts.subject}
          name={subject.name}
          note={subject.subjectType === "group" && texts.group}
          onChange={() => setSubject(undefined)}
        />
      ) : (
        <SubjectFinder onChoose={setSubject} />
      )}
      {change.error && <Problem error={change.error} />}
      {isReady && (
        <div className="flex flex-wrap gap-2">
          <Button
            look="primary"
            busy={change.isPending}
            onClick={() => change.mutate("grant")}
          >
            {texts.grant}
          </Button>
          <Button
            look="danger"
            busy={change.isPending}
            onClick={() => change.mutate("revoke")}
          >
            {texts.revoke}
          </Button>
        </div>
      )}
    </div>
  );
}

interface ChosenProps {
  label: string;
  name: string;
  note?: ReactNode;
  onChange: () => void;
}

function Chosen({ label, name, note, onChange }: ChosenProps) {
  const texts = useFlowAdminTexts();
  return (
    <div className="flex flex-wrap items-center gap-3">
      <p className="min-w-0 flex-1">
        <span className="block font-medium">{label}</span>
        <bdi className="block truncate" title={name}>
          {name}
        </bdi>
        {note && <span className="text-xs text-muted">{note}</span>}
      </p>
      <Button look="quiet" aria-label={`${texts.change}: ${label}`} onClick={onChange}>
        {texts.change}
      </Button>
    </div>
  );
}

function FlowFinder({ onChoose }: { onChoose: (flow: GrantableFlow) => void }) {
  const texts = useFlowAdminTexts();
  const [words, setWords] = useState("");
  const { data, error } = useQuery(grantableFlowsQuery(useDeferredValue(words.trim())));
  const choose = (key: string) => {
    const flow = data?.items.find(({ id }) => id === key);
    if (flow) onChoose(flow);
  };
  return (
    <>
      <Finder
        label={texts.flow}
        hint={texts.flowHint}
        words={words}
        onWords={setWords}
        found={data?.items.map(({ id, name, description }) => ({
          key: id,
          name,
          note: description || undefined,
        }))}
        onChoose={choose}
      />
      {error && <Problem error={error} />}
    </>
  );
}

function SubjectFinder({ onChoose }: { onChoose: (subject: Subject) => void }) {
  const texts = useFlowAdminTexts();
  const [words, setWords] = useState("");
  const { data } = useQuery(subjectsQuery(useDeferredValue(words.trim())));
  const keyOf = ({ subjectType, subjectId }: Subject) => `${subjectType} ${subjectId}`;
  const choose = (key: string) => {
    const subject = data?.items.find((one) => keyOf(one) === key);
    if (subject) onChoose(subject);
  };
  return (
    <Finder
      label={texts.subject}
      hint={texts.subjectHint}
      words={words}
      onWords={setWords}
      found={data?.items.map((one) => ({
        key: keyOf(one),
        name: one.name,
        note: one.subjectType === "group" ? texts.group : undefined,
      }))}
      onChoose={choose}
    />
  );
}
