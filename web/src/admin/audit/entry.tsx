import { Link } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { formatAgo, formatTime } from "../../texts/format.ts";
import { nameOf } from "../../texts/name-of.ts";
import type { AuditFilter } from "./filter.ts";
import type { AuditEntry } from "./queries.ts";
import { useAuditTexts } from "./texts.ts";

/** An entry: the action, its actor and resource, the time, and the details. */
export function Entry({ entry }: { entry: AuditEntry }) {
  const texts = useAuditTexts();
  const { at, actorId, actorName, action, requestId } = entry;
  const { resourceType, resourceId, resourceName, otherName } = entry;
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
          <Narrow filter={{ action }}>{nameOf(texts.actions, action)}</Narrow>{" "}
          <Narrow filter={{ resourceType, resourceId }}>
            {resourceName === null ? (
              <span className="text-xs text-muted">
                {nameOf(texts.things, resourceType)} <bdi>{resourceId}</bdi>
              </span>
            ) : (
              <bdi className="font-medium">{resourceName}</bdi>
            )}
          </Narrow>
          {otherName !== null && (
            <span className="text-muted">
              {" – "}
              <bdi>{otherName}</bdi>
            </span>
          )}
        </p>
        <details>
          <summary className="min-h-6 cursor-pointer text-xs text-muted">
            {texts.details} <code className="font-mono">{action}</code>
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
