import { useNavigate } from "@tanstack/react-router";
import { FindSubject } from "../../shell/find-subject.tsx";
import { Button } from "../../ui/button.tsx";
import { SearchField } from "../../ui/search-field.tsx";
import { TextField } from "../../ui/text-field.tsx";
import type { AuditFilter } from "./filter.ts";
import { useAuditTexts } from "./texts.ts";

/** Filters the log. The choice is part of the address. */
export function Filters({ filter }: { filter: AuditFilter }) {
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
      <SearchField
        label={texts.action}
        className="min-w-0 flex-1 basis-40"
        value={filter.action}
        onSearch={(action) => change({ action })}
      />
      <SearchField
        label={texts.resource}
        className="min-w-0 flex-1 basis-40"
        value={filter.resourceType}
        onSearch={(resourceType) => change({ resourceType })}
      />
      <FindSubject
        label={texts.actor}
        kind="user"
        className="min-w-0 flex-1 basis-40"
        onChoose={({ subjectId }) => change({ actorId: subjectId })}
      />
      <div className="flex flex-wrap gap-3">
        {(["from", "to"] as const).map((name) => (
          <TextField
            key={name}
            label={texts[name]}
            type="date"
            value={filter[name] ?? ""}
            onChange={({ target }) => change({ [name]: target.value || undefined })}
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
