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
  const { at, actorId, actorName, action, resourceType, resourceId, requestId } = entry;
  const details = { ...entry.details, ...(requestId !== null && { requestId }) };
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
          <Narrow filter={{ action }}>
            {nameOf(texts.actions, action)}{" "}
            <code className="font-mono text-xs text-muted">{action}</code>
          </Narrow>{" "}
          <Narrow filter={{ resourceType, resourceId }}>
            <span className="text-xs text-muted">
              {nameOf(texts.things, resourceType)} <bdi>{resourceId}</bdi>
            </span>
          </Narrow>
        </p>
        {Object.keys(details).length > 0 && (
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
        )}
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
