import { useQuery } from "@tanstack/react-query";
import { useDeferredValue, useState } from "react";
import { Finder } from "../../ui/finder.tsx";
import { findGroupsQuery, type ListedGroup } from "./queries.ts";

interface GroupFinderProps {
  label: string;
  hint?: string;
  /** The id of a group that cannot be chosen. */
  without?: string;
  onChoose: (group: ListedGroup) => void;
}

/** Finds a group by a part of its name. */
export function GroupFinder({ label, hint, without, onChoose }: GroupFinderProps) {
  const [words, setWords] = useState("");
  const { data } = useQuery(findGroupsQuery(useDeferredValue(words.trim())));
  const groups = data?.items.filter(({ id }) => id !== without);
  return (
    <Finder
      label={label}
      {...(hint && { hint })}
      words={words}
      onWords={setWords}
      found={groups?.map(({ id, name, description }) => ({
        key: id,
        name,
        note: description,
      }))}
      onChoose={(key) => {
        const group = groups?.find(({ id }) => id === key);
        if (group) onChoose(group);
        setWords("");
      }}
    />
  );
}
