import { useQuery } from "@tanstack/react-query";
import { useDeferredValue, useState } from "react";
import { Finder } from "../../ui/finder.tsx";
import { findUsersQuery, type User } from "./queries.ts";

interface UserFinderProps {
  label: string;
  hint?: string;
  /** Ids of users who cannot be chosen. */
  without?: readonly string[];
  onChoose: (user: User) => void;
}

/** Finds an active user by a part of the name or email. */
export function UserFinder({ label, hint, without = [], onChoose }: UserFinderProps) {
  const [words, setWords] = useState("");
  const { data } = useQuery(findUsersQuery(useDeferredValue(words.trim())));
  const users = data?.items.filter(({ id }) => !without.includes(id));
  return (
    <Finder
      label={label}
      {...(hint && { hint })}
      words={words}
      onWords={setWords}
      found={users?.map(({ id, name, email }) => ({ key: id, name, note: email }))}
      onChoose={(key) => {
        const user = users?.find(({ id }) => id === key);
        if (user) onChoose(user);
        setWords("");
      }}
    />
  );
}
