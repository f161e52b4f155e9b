import { useQuery } from "@tanstack/react-query";
import { X } from "lucide-react";
import { FindSubject } from "../../shell/find-subject.tsx";
import { Checkbox } from "../../ui/checkbox.tsx";
import { IconButton } from "../../ui/icon-button.tsx";
import { groupQuery } from "../groups/queries.ts";
import { useLabelAdminTexts } from "./texts.ts";

interface FieldProps {
  /** Ids of groups; null: anybody. */
  value: string[] | null;
  onChange: (value: string[] | null) => void;
}

/** With whom what carries the label may be shared. */
export function SharingField({ value, onChange }: FieldProps) {
  const texts = useLabelAdminTexts();
  return (
    <fieldset>
      <legend className="font-medium">{texts.sharing}</legend>
      <Checkbox
        type="radio"
        name="sharing"
        checked={value === null}
        onChange={() => onChange(null)}
        label={texts.sharingAll}
      />
      <Checkbox
        type="radio"
        name="sharing"
        checked={value !== null}
        onChange={() => onChange(value ?? [])}
        label={texts.sharingSome}
      />
      {value !== null && (
        <div className="ml-6 grid gap-1">
          {value.map((id) => (
            <Group
              key={id}
              id={id}
              onRemove={() => onChange(value.filter((one) => one !== id))}
            />
          ))}
          <FindSubject
            label={texts.addGroup}
            kind="group"
            onChoose={({ subjectId }) => onChange([...new Set([...value, subjectId])])}
          />
        </div>
      )}
    </fieldset>
  );
}

function Group({ id, onRemove }: { id: string; onRemove: () => void }) {
  const texts = useLabelAdminTexts();
  const { data } = useQuery(groupQuery(id));
  const name = data?.name ?? id;
  return (
    <div className="flex items-center gap-2">
      <bdi className="min-w-0 flex-1 truncate">{name}</bdi>
      <IconButton icon={X} label={texts.removeGroup(name)} onClick={onRemove} />
    </div>
  );
}
