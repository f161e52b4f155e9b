import { useQuery } from "@tanstack/react-query";
import { SelectField } from "../ui/select-field.tsx";
import { foldersQuery } from "./queries.ts";
import { useDocumentTexts } from "./texts.ts";

interface FolderFieldProps {
  /** The folder that something is in; null for none. */
  current: string | null;
  /** A folder that is moved: it cannot go into itself. */
  moved?: string;
}

/** Where something shall be, in a form: `chosenFolder` reads it. */
export function FolderField({ current, moved }: FolderFieldProps) {
  const texts = useDocumentTexts();
  const all = useQuery(foldersQuery(undefined)).data?.items ?? [];
  const folders = all.filter((folder) => !isInside(folder.id, moved, all));
  const isListed = current === null || folders.some(({ id }) => id === current);
  return (
    <SelectField
      label={texts.moveTo}
      name="folder"
      defaultValue={current ?? ""}
      key={all.length}
    >
      {!isListed && <option value={current}>{texts.stay}</option>}
      <option value="">{texts.top}</option>
      {folders.map(({ id, name }) => (
        <option key={id} value={id}>
          {name}
        </option>
      ))}
    </SelectField>
  );
}

export function chosenFolder(fields: FormData): string | null {
  return String(fields.get("folder") ?? "") || null;
}

interface Place {
  id: string;
  parentId: string | null;
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
