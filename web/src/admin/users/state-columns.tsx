import { formatAgo, formatTime } from "../../texts/format.ts";
import { Badge } from "../../ui/badge.tsx";
import type { Column } from "../../ui/data-table.tsx";
import { useProgramTexts } from "./program-texts.ts";
import { useUserTexts } from "./texts.ts";
import { PickField } from "../../ui/pick-field.tsx";
import { TabLinks } from "../../ui/tab-links.tsx";

interface Listed {
  disabled: boolean;
  createdAt: string;
}

/** The columns that all lists of users have: the state, and since when the user is known. */
export function useStateColumns(since: string): Column<Listed>[] {
  const texts = useUserTexts();
  return [
    {
      key: "state",
      label: texts.state,
      isUnsaid: ({ disabled }) => !disabled,
      cell: ({ disabled }) => (
        <Badge look={disabled ? "warn" : "plain"}>
          {disabled ? texts.disabled : texts.active}
        </Badge>
      ),
    },
    {
      key: "since",
      label: since,
      cell: ({ createdAt }) => (
        <span title={formatTime(createdAt)} className="text-muted">
          {formatAgo(createdAt)}
        </span>
      ),
    },
  ];
}

const STATES = ["active", "disabled"] as const;

interface StateFilterProps {
  value: string | undefined;
  /** Called with `undefined` for any. */
  onChange: (state: string | undefined) => void;
}

/** Narrows a list of users to those who may sign in, or may not. */
export function StateFilter({ value, onChange }: StateFilterProps) {
  const texts = useUserTexts();
  return (
    <PickField
      label={texts.state}
      value={value ?? ""}
      onChange={({ target }) => onChange(target.value || undefined)}
    >
      <option value="">{texts.anyState}</option>
      {STATES.map((state) => (
        <option key={state} value={state}>
          {texts[state]}
        </option>
      ))}
    </PickField>
  );
}

/** Accounts of this installation, and those that another issuer signs in. */
export function UserTabs() {
  const texts = useUserTexts();
  const { tab: programs } = useProgramTexts();
  const tabs = [
    { to: "/admin/users", label: texts.kinds.own, isExact: true },
    { to: "/admin/users/external", label: texts.kinds.external },
    { to: "/admin/users/deleted", label: texts.kinds.deleted },
    { to: "/admin/users/provisioning", label: texts.kinds.provisioning },
    { to: "/admin/users/programs", label: programs },
  ];
  return <TabLinks label={texts.title} tabs={tabs} />;
}
