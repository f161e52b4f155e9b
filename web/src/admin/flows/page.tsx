import { useQuery } from "@tanstack/react-query";
import { Unplug } from "lucide-react";
import { appQuery } from "../../shell/queries.ts";
import { Section } from "../../ui/section.tsx";
import { PartSection } from "../part-section.tsx";
import { Loading } from "../../ui/loading.tsx";
import { Empty, Problem } from "../../ui/states.tsx";
import { useFlowAdminTexts } from "./texts.ts";
import { Link, useNavigate, useSearch } from "@tanstack/react-router";
import { useChange } from "../../shell/use-change.ts";
import { useList } from "../../shell/use-list.ts";
import { formatAgo, formatTime } from "../../texts/format.ts";
import { isolate } from "../../texts/isolate.ts";
import { Button } from "../../ui/button.tsx";
import { type Column, DataTable } from "../../ui/data-table.tsx";
import { More } from "../../ui/more.tsx";
import { notify, notifyFailure } from "../../ui/notices.tsx";
import {
  type NamedPermission,
  permissionsQuery,
  revoke,
  grant,
  type GrantableFlow,
  grantableFlowsQuery,
} from "./queries.ts";
import { type ReactNode, useDeferredValue, useState } from "react";
import { type Subject, subjectsQuery } from "../../shell/subject-queries.ts";
import { Finder } from "../../ui/finder.tsx";

/** `/admin/flows`: who may run which flow. */
export function FlowPermissionsPage() {
  const texts = useFlowAdminTexts();
  const { data } = useQuery(appQuery);
  if (!data) return <Loading shape="fields" lines={3} />;
  if (!data.features.flows)
    return (
      <Empty icon={Unplug} picture="rows" title={texts.off}>
        {texts.offHint}
      </Empty>
    );
  return (
    <>
      <PartSection title={texts.title} hint={texts.hint}>
        <GrantForm />
      </PartSection>
      <PermissionTable />
    </>
  );
}

/** Who may run which flow, by whom and when it was granted. */
function PermissionTable() {
  const texts = useFlowAdminTexts();
  const navigate = useNavigate();
  const { flow } = useSearch({ from: "/app/admin/flows" });
  const list = useList(permissionsQuery(flow));
  const all = flow !== undefined && (
    <Button onClick={() => void navigate({ to: "/admin/flows", search: {} })}>
      {texts.showAll}
    </Button>
  );
  const [first] = list.data?.items ?? [];
  return (
    <Section
      title={texts.who}
      hint={flow !== undefined && first && texts.ofFlow(isolate(first.flowName))}
      actions={all}
    >
      {list.isPending && <Loading shape="table" lines={5} />}
      {list.error && <Problem error={list.error} onRetry={() => void list.refetch()} />}
      {list.data?.total === 0 && <p className="text-muted">{texts.none}</p>}
      {list.data && list.data.total > 0 && (
        <DataTable
          caption={texts.who}
          columns={columnsOf(texts)}
          rows={list.data.items}
          keyOf={({ userId, flowId }) => `${userId} ${flowId}`}
        />
      )}
      <More list={list} />
    </Section>
  );
}

function columnsOf(texts: ReturnType<typeof useFlowAdminTexts>): Column<NamedPermission>[] {
  return [
    { key: "person", label: texts.person, cell: ({ userName }) => <bdi>{userName}</bdi> },
    {
      key: "flow",
      label: texts.flow,
      cell: ({ flowId, flowName }) => (
        <Link
          to="/admin/flows"
          search={{ flow: flowId }}
          title={texts.onlyThis(flowName)}
          className="underline"
        >
          <bdi>{flowName}</bdi>
        </Link>
      ),
    },
    { key: "by", label: texts.by, cell: ({ grantedByName }) => <bdi>{grantedByName}</bdi> },
    {
      key: "when",
      label: texts.when,
      cell: ({ grantedAt }) => (
        <span title={formatTime(grantedAt)}>{formatAgo(grantedAt)}</span>
      ),
    },
    {
      key: "revoke",
      label: texts.revoke,
      hideLabel: true,
      isMenu: true,
      cell: (permission) => <Revoke permission={permission} />,
    },
  ];
}

function Revoke({ permission }: { permission: NamedPermission }) {
  const texts = useFlowAdminTexts();
  const { userId, userName, flowId, flowName } = permission;
  const change = useChange({
    keys: [["flow-permissions"]],
    run: () => revoke(flowId, { subjectType: "user", subjectId: userId }),
    onDone: () => notify(texts.revoked),
  });
  return (
    <Button
      look="danger"
      busy={change.isPending}
      aria-label={texts.revokeOf(flowName, userName)}
      onClick={() => change.mutate(undefined, { onError: notifyFailure })}
    >
      {texts.revoke}
    </Button>
  );
}

/** Grants a flow to a user or to the members of a group, or revokes it. */
function GrantForm() {
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
