import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { useSettled } from "../shell/use-settled.ts";
import { MAX_LISTED_PLACES, PlaceField } from "../ui/place-field.tsx";
import { findFoldersQuery, foldersQuery } from "./queries.ts";
import { useDocumentTexts } from "./texts.ts";

interface FolderFieldProps {
  /** The folder that something is in; null for none. */
  current: string | null;
  /** A folder that is moved: it cannot go into itself. */
  moved?: string;
}

/** A form field for the folder of something; `chosenFolder` reads it. */
export function FolderField({ current, moved }: FolderFieldProps) {
  const texts = useDocumentTexts();
  const [words, setWords] = useState("");
  const own = useQuery(foldersQuery(undefined)).data;
  const found = useQuery({
    ...findFoldersQuery(useSettled(words.trim())),
    placeholderData: keepPreviousData,
  }).data;
  const all = own?.items ?? [];
  const shown = words === "" ? all : (found?.items ?? []);
  const folders = shown.filter((folder) => !isInside(folder.id, moved, all));
  const nameOf = (id: string) => namesAbove(id, all).join(" / ");
  return (
    <PlaceField
      label={texts.moveTo}
      places={folders.map(({ id, name }) => ({ id, name: nameOf(id) || name }))}
      isLong={(own?.total ?? 0) > MAX_LISTED_PLACES}
      words={words}
      onWords={setWords}
      start={current === null ? null : { id: current, name: nameOf(current) || texts.stay }}
      none={texts.top}
    />
  );
}

export function chosenFolder(fields: FormData): string | null {
  return String(fields.get("folder") ?? "") || null;
}

interface Place {
  id: string;
  name: string;
  parentId: string | null;
}

/** The names of the folders from the top down to this one, as far as they are known. */
function namesAbove(id: string, all: readonly Place[]): string[] {
  const names: string[] = [];
  let at = all.find((folder) => folder.id === id);
  // no more steps than folders, because a concurrent change could make a cycle
  while (at && names.length < all.length) {
    const { name, parentId } = at;
    names.unshift(name);
    at = all.find((folder) => folder.id === parentId);
  }
  return names;
}

/** Whether a folder is another one or below it. */
function isInside(id: string, outer: string | undefined, all: readonly Place[]): boolean {
  let at: string | null | undefined = id;
  // no more steps than folders, because a concurrent change could make a cycle
  for (let step = 0; at && step <= all.length; step += 1) {
    if (at === outer) return true;
    const here: string = at;
    at = all.find((folder) => folder.id === here)?.parentId;
  }
  return false;
}
