import { useState } from "react";
import type { AccessRole, Resource } from "../../../src/services/users/contract-sharing.ts";
import { FindSubject } from "../shell/find-subject.tsx";
import type { Subject } from "../shell/subject-queries.ts";
import { useChange } from "../shell/use-change.ts";
import { notify } from "../ui/notices.tsx";
import { Problem } from "../ui/states.tsx";
import { shareWith, sharesQuery } from "./queries.ts";
import { RoleSelect } from "./role-select.tsx";
import { useSharingTexts } from "./texts.ts";

/** Finds people and groups by the beginning of their names, and shares with the chosen one. */
export function AddPeople({ resource }: { resource: Resource }) {
  const texts = useSharingTexts();
  const [role, setRole] = useState<AccessRole>("viewer");
  const share = useChange({
    run: async ({ subjectType, subjectId, name }: Subject) => {
      await shareWith(resource, { subjectType, subjectId, accessRole: role });
      notify(texts.shared(name));
    },
    keys: [sharesQuery(resource).queryKey],
  });
  return (
    <div className="grid gap-2">
      <div className="flex flex-wrap items-start gap-2">
        <FindSubject
          label={texts.find}
          className="min-w-0 flex-1 basis-56"
          autoFocus
          onChoose={share.mutate}
        />
        <RoleSelect label={texts.as} role={role} onChange={setRole} />
      </div>
      {share.error && <Problem error={share.error} />}
    </div>
  );
}
