import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { Users } from "lucide-react";
import { useDeferredValue, useState } from "react";
import type { AccessRole, Resource } from "../../../src/services/users/contract-sharing.ts";
import { Avatar } from "../ui/avatar.tsx";
import { notify } from "../ui/notices.tsx";
import { Problem } from "../ui/states.tsx";
import { TextField } from "../ui/text-field.tsx";
import { shareWith, sharesQuery, type Subject, subjectsQuery } from "./queries.ts";
import { RoleSelect } from "./role-select.tsx";
import { useSharingTexts } from "./texts.ts";

/** Finds people and groups by the beginning of their names, and shares with the chosen one. */
export function AddPeople({ resource }: { resource: Resource }) {
  const texts = useSharingTexts();
  const [query, setQuery] = useState("");
  const [role, setRole] = useState<AccessRole>("viewer");
  const queries = useQueryClient();
  const found = useQuery(subjectsQuery(useDeferredValue(query.trim()))).data?.items;
  const share = useMutation({
    mutationFn: ({ subjectType, subjectId }: Subject) =>
      shareWith(resource, { subjectType, subjectId, accessRole: role }),
    async onSuccess(_, { name }) {
      setQuery("");
      notify(texts.shared(name));
      await queries.invalidateQueries({ queryKey: sharesQuery(resource).queryKey });
    },
  });
  return (
    <div className="grid gap-2">
      <div className="flex flex-wrap items-end gap-2">
        <TextField
          label={texts.find}
          className="min-w-0 flex-1 basis-56"
          placeholder={texts.placeholder}
          value={query}
          onChange={(event) => setQuery(event.target.value)}
          autoComplete="off"
          autoFocus
        />
        <RoleSelect label={texts.as} role={role} onChange={setRole} />
      </div>
      {query.trim() !== "" && found && (
        <ul className="rounded-md border border-hairline" aria-label={texts.find}>
          {found.map((subject) => (
            <li key={`${subject.subjectType} ${subject.subjectId}`}>
              <Suggestion subject={subject} onChoose={() => share.mutate(subject)} />
            </li>
          ))}
          {found.length === 0 && <li className="p-2 text-muted">{texts.nobody}</li>}
        </ul>
      )}
      {share.error && <Problem error={share.error} />}
    </div>
  );
}

function Suggestion({ subject, onChoose }: { subject: Subject; onChoose: () => void }) {
  const texts = useSharingTexts();
  const isGroup = subject.subjectType === "group";
  return (
    <button
      type="button"
      onClick={onChoose}
      className={
        "flex min-h-9 w-full items-center gap-2 rounded-md px-2 text-left hover:bg-sunken " +
        "pointer-coarse:min-h-11"
      }
    >
      {isGroup ? (
        <Users aria-hidden size={16} className="mx-1.5" />
      ) : (
        <Avatar name={subject.name} />
      )}
      <bdi className="min-w-0 flex-1 truncate">{subject.name}</bdi>
      {isGroup && <span className="text-xs text-muted">{texts.group}</span>}
    </button>
  );
}
