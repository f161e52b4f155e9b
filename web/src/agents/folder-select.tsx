import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { MAX_LISTED_PLACES, type Place, PlaceField } from "../ui/place-field.tsx";
import { foldersQuery, type TreeFolder } from "./queries.ts";
import { useAgentTexts } from "./texts.ts";

interface FolderSelectProps {
  label: string;
  defaultValue: string | null;
  /** A folder to leave out with its contents: it cannot be moved into itself. */
  without?: string;
}

/** Chooses one of the user's folders, or none. The field is named `folder`. */
export function FolderSelect({ label, defaultValue, without }: FolderSelectProps) {
  const texts = useAgentTexts();
  const [words, setWords] = useState("");
  const { data } = useQuery(foldersQuery);
  const all = flatten(data?.folders ?? [], without, "");
  // what is saved before the folders are known stays where it is
  const unknown = data || defaultValue === null ? null : { id: defaultValue, name: "…" };
  const wanted = words.trim().toLocaleLowerCase();
  return (
    <PlaceField
      label={label}
      places={all.filter(({ name }) => name.toLocaleLowerCase().includes(wanted))}
      isLong={all.length > MAX_LISTED_PLACES}
      words={words}
      onWords={setWords}
      start={all.find(({ id }) => id === defaultValue) ?? unknown}
      none={texts.noFolder}
    />
  );
}

function flatten(
  folders: readonly TreeFolder[],
  without: string | undefined,
  above: string,
): Place[] {
  return folders
    .filter(({ id }) => id !== without)
    .flatMap(({ id, name: own, children }) => {
      const name = above + own;
      return [{ id, name }, ...flatten(children, without, `${name} / `)];
    });
}
