import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { Link2 } from "lucide-react";
import type { AccessRole, Resource } from "../../../src/services/users/contract-sharing.ts";
import { formatTime } from "../texts/format.ts";
import { Button } from "../ui/button.tsx";
import { notify } from "../ui/notices.tsx";
import { Loading, Problem } from "../ui/states.tsx";
import { linkQuery, type LinkSettings, setLink } from "./queries.ts";
import { RoleSelect } from "./role-select.tsx";
import { useSharingTexts } from "./texts.ts";
import { copyText } from "../ui/copy-text.ts";

const LEVELS = ["viewer", "commenter", "editor"] as const;
type Level = (typeof LEVELS)[number];

/** The link to a resource, for those who have it. */
export function LinkPart({ resource, path }: { resource: Resource; path: string }) {
  const texts = useSharingTexts();
  const queries = useQueryClient();
  const { data: link, error, refetch } = useQuery(linkQuery(resource));
  const change = useMutation({
    mutationFn: (settings: LinkSettings) => setLink(resource, settings),
    onSuccess: (changed) => queries.setQueryData(linkQuery(resource).queryKey, changed),
  });
  if (error) return <Problem error={error} onRetry={() => void refetch()} />;
  if (!link) return <Loading lines={2} />;
  const { enabled, accessLevel, expiresAt, allowedUsers } = link;
  const copy = () => copyText(location.origin + path).then(() => notify(texts.copied));
  return (
    <section className="grid gap-3">
      <h3 className="font-sans font-medium">{texts.link}</h3>
      <label className="flex min-h-6 items-start gap-2">
        <input
          type="checkbox"
          className="mt-0.5 accent-accent"
          checked={enabled}
          onChange={() => change.mutate({ ...link, enabled: !enabled })}
        />
        <span>
          {texts.linkOn}
          <span className="block text-xs text-muted">
            {allowedUsers ? texts.linkFew(allowedUsers.length) : texts.linkHint}{" "}
            {expiresAt && texts.linkUntil(formatTime(expiresAt))}
          </span>
        </span>
      </label>
      {enabled && (
        <div className="flex flex-wrap items-end gap-2">
          <RoleSelect
            label={texts.as}
            role={accessLevel}
            roles={LEVELS}
            onChange={
              (level: AccessRole) => change.mutate({ ...link, accessLevel: level as Level }) // of `roles`
            }
          />
          <Button onClick={() => void copy()}>
            <Link2 aria-hidden size={16} />
            {texts.copy}
          </Button>
        </div>
      )}
      {change.error && <Problem error={change.error} />}
    </section>
  );
}
