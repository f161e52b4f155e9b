import { type AccessRole } from "../../../src/services/users/contract-sharing.ts";
import { SelectField } from "../ui/select-field.tsx";
import { useSharingTexts } from "./texts.ts";

/** Weakest first. */
export const ROLES = ["viewer", "commenter", "editor", "owner"] as const;

interface RoleSelectProps {
  label: string;
  role: AccessRole;
  /** Default: all. */
  roles?: readonly AccessRole[];
  onChange: (role: AccessRole) => void;
}

export function RoleSelect({ label, role, roles = ROLES, onChange }: RoleSelectProps) {
  const texts = useSharingTexts();
  return (
    <SelectField
      label={label}
      value={role}
      onChange={(event) => onChange(event.target.value as AccessRole)} // of the options below
    >
      {roles.map((key) => (
        <option key={key} value={key}>
          {texts.roles[key]}
        </option>
      ))}
    </SelectField>
  );
}
