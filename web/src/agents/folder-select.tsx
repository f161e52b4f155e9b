import { useQuery } from "@tanstack/react-query";
import { SelectField } from "../ui/select-field.tsx";
import { foldersQuery, type TreeFolder } from "./queries.ts";
import { useAgentTexts } from "./texts.ts";

interface FolderSelectProps {
  label: string;
  defaultValue: string | null;
  /** A folder that is left out, with all in it: it cannot be moved into itself. */
  without?: string;
}

/** One of one's own folders, or none; the field is named `folder`. */
export function FolderSelect({ label, defaultValue, without }: FolderSelectProps) {
  const texts = useAgentTexts();
  const { data } = useQuery(foldersQuery);
  const options = flatten(data?.folders ?? [], without, 0);
  return (
    <SelectField
      label={label}
      name="folder"
      defaultValue={defaultValue ?? ""}
      // the browser forgets a value that was no option yet
      key={options.length}
    >
      <option value="">{texts.noFolder}</option>
      {options.map(({ id, name, depth }) => (
        <option key={id} value={id}>
          {`${"\u2003".repeat(depth)}${name}`}
        </option>
      ))}
    </SelectField>
  );
}

interface Option {
  id: string;
  name: string;
  depth: number;
}

function flatten(
  folders: readonly TreeFolder[],
  without: string | undefined,
  depth: number,
): Option[] {
  return folders
    .filter(({ id }) => id !== without)
    .flatMap(({ id, name, children }) => [
      { id, name, depth },
      ...flatten(children, without, depth + 1),
    ]);
}
