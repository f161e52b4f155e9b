import { useSearch, useNavigate, Link } from "@tanstack/react-router";
import { ScrollText, Download } from "lucide-react";
import { useList } from "../../shell/use-list.ts";
import { formatNumber, formatAgo, formatTime } from "../../texts/format.ts";
import { More } from "../../ui/more.tsx";
import { PartSection } from "../part-section.tsx";
import { Loading } from "../../ui/loading.tsx";
import { Empty, Problem } from "../../ui/states.tsx";
import { auditQuery, exportAddress, type AuditEntry } from "./queries.ts";
import { useAuditTexts } from "./texts.ts";
import type { AuditFilter } from "./filter.ts";
import { FindSubject } from "../../shell/find-subject.tsx";
import { Button, buttonLook } from "../../ui/button.tsx";
import { DateField } from "../../ui/date-field.tsx";
import { Fragment, type ReactNode } from "react";
import { nameOf } from "../../texts/name-of.ts";
import { PickField } from "../../ui/pick-field.tsx";
import { useQueueTexts } from "../queues/texts.ts";
import { actionsBySubject, wordsOf } from "./words.ts";

/** The audit log, newest entries first, with filters and exports. */
export function AuditPage() {
  const texts = useAuditTexts();
  const filter = useSearch({ from: "/app/admin/audit" });
  const list = useList(auditQuery(filter));
  return (
    <PartSection
      title={texts.title}
      hint={texts.hint}
      actions={<Exports filter={filter} />}
    >
      <Filters filter={filter} />
      {list.isPending && <Loading shape="list" lines={8} />}
      {list.error && <Problem error={list.error} onRetry={() => void list.refetch()} />}
      {list.data && list.data.total > 0 && (
        <p role="status" className="text-xs text-muted">
          {texts.count(formatNumber(list.data.total))}
        </p>
      )}
      <ul className="divide-y divide-hairline">
        {list.data?.items.map((entry) => (
          <Entry key={entry.id} entry={entry} />
        ))}
      </ul>
      {list.data?.total === 0 && (
        <Empty
          icon={ScrollText}
          picture="rows"
          title={Object.keys(filter).length > 0 ? texts.nothing : texts.empty}
        >
          {texts.nothingHint}
        </Empty>
      )}
      <More list={list} />
    </PartSection>
  );
}

const FORMATS = ["csv", "json"] as const;

/** Exports the log with the filters of the page. */
function Exports({ filter }: { filter: AuditFilter }) {
  const texts = useAuditTexts();
  return (
    <div className="flex gap-2">
      {FORMATS.map((format) => (
        <a
          key={format}
          href={exportAddress(filter, format)}
          download
          className={buttonLook()}
        >
          <Download aria-hidden size={16} />
          {texts.formats[format]}
        </a>
      ))}
    </div>
  );
}

/** Filters the log. The choice is part of the address. */
function Filters({ filter }: { filter: AuditFilter }) {
  const texts = useAuditTexts();
  const navigate = useNavigate();
  const change = (changed: {
    [Name in keyof AuditFilter]: AuditFilter[Name] | undefined;
  }) =>
    void navigate({
      to: "/admin/audit",
      search: Object.fromEntries(
        Object.entries({ ...filter, ...changed }).filter(
          ([, value]) => value !== undefined,
        ),
      ),
      replace: true,
    });
  const isNarrowed = Object.keys(filter).length > 0;
  return (
    <div className="flex flex-wrap items-start gap-3">
      <FindSubject
        label={texts.actor}
        placeholder={texts.actorHint}
        hidesLabel
        kind="user"
        className="min-w-0 flex-1 basis-52 max-sm:basis-full"
        onChoose={({ subjectId }) => change({ actorId: subjectId })}
      />
      <ActionField value={filter.action} onChange={(action) => change({ action })} />
      <PickField
        label={texts.resource}
        value={filter.resourceType ?? ""}
        onChange={({ target }) => change({ resourceType: target.value || undefined })}
      >
        <option value="">{texts.anyResource}</option>
        {withChosen(Object.keys(texts.things), filter.resourceType).map((type) => (
          <option key={type} value={type}>
            {nameOf(texts.things, type)}
          </option>
        ))}
      </PickField>
      <div className="flex flex-wrap gap-x-1 sm:-ml-2.5">
        {(["from", "to"] as const).map((name) => (
          <DateField
            key={name}
            label={texts[name]}
            value={filter[name] ?? ""}
            onChange={(day) => change({ [name]: day || undefined })}
          />
        ))}
      </div>
      {isNarrowed && (
        <Button
          look="quiet"
          className="self-end"
          onClick={() => void navigate({ to: "/admin/audit", search: {}, replace: true })}
        >
          {texts.showAll}
        </Button>
      )}
    </div>
  );
}

interface ActionFieldProps {
  value: string | undefined;
  onChange: (action: string | undefined) => void;
}

/** Narrows the log to one action, or to all that are about the same. */
function ActionField({ value, onChange }: ActionFieldProps) {
  const texts = useAuditTexts();
  const subjects = actionsBySubject(texts.actions);
  const isListed =
    value === undefined ||
    subjects.some(({ all, actions }) => [all, ...actions].includes(value));
  return (
    <PickField
      label={texts.action}
      value={value ?? ""}
      onChange={({ target }) => onChange(target.value || undefined)}
    >
      <option value="">{texts.anyAction}</option>
      {!isListed && <option value={value}>{value}</option>}
      {subjects.map(({ name, all, actions }) => (
        <optgroup key={name} label={nameOf(texts.subjects, name)}>
          {actions.length > 1 && (
            <option value={all}>{nameOf(texts.subjects, name)}</option>
          )}
          {actions.map((action) => (
            <option key={action} value={action}>
              {nameOf(texts.actions, action).replace(/\{\w+\}/g, "…")}
            </option>
          ))}
        </optgroup>
      ))}
    </PickField>
  );
}

/** An address may name what is not in a list. */
function withChosen(names: readonly string[], chosen: string | undefined): string[] {
  return chosen === undefined || names.includes(chosen) ? [...names] : [...names, chosen];
}

/** An entry: the action, its actor and resource, the time, and the details. */
function Entry({ entry }: { entry: AuditEntry }) {
  const texts = useAuditTexts();
  const { at, actorId, actorName, action, requestId } = entry;
  const { resourceId } = entry;
  const details = {
    action,
    resourceId,
    ...entry.details,
    ...(requestId !== null && { requestId }),
  };
  return (
    <li className="grid gap-x-4 gap-y-1 py-2 sm:grid-cols-[9rem_minmax(0,1fr)]">
      <time dateTime={at} title={formatTime(at)} className="text-xs text-muted">
        {formatAgo(at)}
      </time>
      <div className="min-w-0">
        <p className="wrap-anywhere">
          <Narrow filter={{ actorId }}>
            <bdi className="font-medium">{actorName ?? texts.actors(actorId)}</bdi>
          </Narrow>{" "}
          <Sentence entry={entry} />
        </p>
        <details>
          <summary className="min-h-6 cursor-pointer text-xs text-muted">
            {texts.details}
          </summary>
          <pre
            tabIndex={0}
            className="max-h-64 overflow-auto rounded-md bg-sunken p-2 font-mono text-xs"
          >
            {JSON.stringify(details, undefined, 2)}
          </pre>
        </details>
      </div>
    </li>
  );
}

/** What was done, with the names of what it was done to at their places. */
function Sentence({ entry }: { entry: AuditEntry }) {
  const texts = useAuditTexts();
  const { action, resourceType, otherName } = entry;
  const parts = wordsOf(texts, entry).split(/(\{\w+\})/);
  return parts.map((part, at) => {
    switch (part) {
      case "{name}":
        return <Subject key={at} entry={entry} />;
      case "{thing}":
        return (
          <Fragment key={at}>
            {nameOf(texts.theThing, resourceType)} <Subject entry={entry} />
          </Fragment>
        );
      case "{other}":
        return (
          <bdi key={at} className="font-medium">
            {otherName ?? texts.unknown}
          </bdi>
        );
      default:
        if (part.trim() === "") return part;
        return (
          <Fragment key={at}>
            {part.startsWith(" ") && " "}
            <Narrow filter={{ action }}>{part.trim()}</Narrow>
            {part.endsWith(" ") && " "}
          </Fragment>
        );
    }
  });
}

/** What something was done to, by its name, or else its id. */
function Subject({ entry }: { entry: AuditEntry }) {
  const texts = useAuditTexts();
  const queues = useQueueTexts();
  const { resourceType, resourceId, resourceName } = entry;
  const known =
    resourceType === "queue"
      ? nameOf(queues.names, resourceId)
      : (resourceName ?? resourceId);
  return (
    <Narrow filter={{ resourceType, resourceId }}>
      <bdi className={isId(known) ? "text-xs text-muted" : "font-medium"}>
        {known === "" || known === UNKNOWN ? texts.unknown : known}
      </bdi>
    </Narrow>
  );
}

/** The id of what has none, such as of the account that nobody has. */
const UNKNOWN = "unknown";

/** Whether it says nothing to a reader. */
function isId(name: string): boolean {
  return /^[0-9a-f]{8}-[0-9a-f-]{27}$/.test(name);
}

/** A value of an entry. Choosing it filters the log. */
function Narrow({ filter, children }: { filter: AuditFilter; children: ReactNode }) {
  return (
    <Link
      from="/admin/audit"
      to="/admin/audit"
      search={(before) => ({ ...before, ...filter })}
      className="inline-block min-h-6 hover:underline"
    >
      {children}
    </Link>
  );
}
