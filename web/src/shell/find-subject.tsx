import { useQuery } from "@tanstack/react-query";
import { Users } from "lucide-react";
import { useDeferredValue, useState } from "react";
import { Avatar } from "../ui/avatar.tsx";
import { TextField } from "../ui/text-field.tsx";
import { type Subject, subjectsQuery } from "./subject-queries.ts";
import { useShellTexts } from "./texts.ts";

interface FindSubjectProps {
  label: string;
  /** Default: users and groups. */
  kind?: Subject["subjectType"];
  autoFocus?: boolean;
  /** The placeholder says what is found. */
  hidesLabel?: boolean;
  placeholder?: string;
  className?: string;
  onChoose: (subject: Subject) => void;
}

/** Finds users and groups by the beginning of their names. */
export function FindSubject({
  label,
  kind,
  autoFocus,
  hidesLabel = false,
  placeholder,
  className,
  onChoose,
}: FindSubjectProps) {
  const { subjects: texts } = useShellTexts();
  const [query, setQuery] = useState("");
  const { data } = useQuery(subjectsQuery(useDeferredValue(query.trim())));
  const found = data?.items.filter(({ subjectType }) => !kind || subjectType === kind);
  const choose = (subject: Subject) => {
    setQuery("");
    onChoose(subject);
  };
  return (
    <div className={className}>
      <TextField
        label={label}
        hidesLabel={hidesLabel}
        placeholder={placeholder ?? texts.placeholder}
        value={query}
        maxLength={100}
        onChange={(event) => setQuery(event.target.value)}
        autoComplete="off"
        autoFocus={autoFocus}
      />
      {query.trim() !== "" && found && (
        <ul className="mt-1 rounded-md border border-hairline" aria-label={label}>
          {found.map((subject) => (
            <li key={`${subject.subjectType} ${subject.subjectId}`}>
              <Suggestion subject={subject} onChoose={() => choose(subject)} />
            </li>
          ))}
          {found.length === 0 && <li className="p-2 text-muted">{texts.nobody}</li>}
        </ul>
      )}
    </div>
  );
}

function Suggestion({ subject, onChoose }: { subject: Subject; onChoose: () => void }) {
  const { subjects: texts } = useShellTexts();
  const isGroup = subject.subjectType === "group";
  return (
    <button
      type="button"
      onClick={onChoose}
      className={
        "flex min-h-9 w-full items-center gap-2 rounded-md px-2 text-left hover:bg-hover " +
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
