import { Check, CircleHelp, X } from "lucide-react";
import { useState } from "react";
import { isolate } from "../../texts/isolate.ts";
import { usePermissionText } from "../../texts/permission-text.ts";
import { useRoleName } from "../../texts/role-name.ts";
import { SelectField } from "../../ui/select-field.tsx";
import { byResource } from "./rules.ts";
import { useRoleTexts } from "./texts.ts";

interface Ground {
  role: string;
  conditions?: Record<string, unknown> | undefined;
}

export interface ShownPermission {
  name: string;
  allowed: "yes" | "no" | "conditional";
  /** The roles that decide, where there are several. */
  grantedBy?: readonly Ground[];
  forbiddenBy?: readonly Ground[];
}

const ICONS = { yes: Check, no: X, conditional: CircleHelp };
const COLOURS = { yes: "text-ok", no: "text-muted", conditional: "text-warn" };
const SHOWN = ["all", "allowed", "missing"] as const;

/** Permissions by resource, each with whether it is granted and why. */
export function PermissionList({
  permissions,
}: {
  permissions: readonly ShownPermission[];
}) {
  const texts = useRoleTexts();
  const [shown, setShown] = useState<(typeof SHOWN)[number]>("all");
  const fitting = permissions.filter(
    ({ allowed }) => shown === "all" || (shown === "missing") === (allowed === "no"),
  );
  return (
    <div className="grid gap-4">
      <SelectField
        label={texts.show}
        className="justify-self-start"
        value={shown}
        onChange={({ target }) =>
          setShown(SHOWN.find((one) => one === target.value) ?? "all")
        }
      >
        {SHOWN.map((one) => (
          <option key={one} value={one}>
            {texts.shown[one]}
          </option>
        ))}
      </SelectField>
      <div className="grid gap-x-8 gap-y-5 xl:grid-cols-2">
        {byResource(fitting).map(([resource, items]) => (
          <section key={resource} className="grid content-start gap-1">
            <h3 className="border-b border-hairline pb-1 font-sans font-medium">
              {texts.resource(resource)}
            </h3>
            <ul>
              {items.map((permission) => (
                <PermissionRow key={permission.name} permission={permission} />
              ))}
            </ul>
          </section>
        ))}
      </div>
    </div>
  );
}

function PermissionRow({ permission }: { permission: ShownPermission }) {
  const texts = useRoleTexts();
  const textOf = usePermissionText();
  const roleName = useRoleName();
  const { name, allowed, grantedBy = [], forbiddenBy = [] } = permission;
  const Icon = ICONS[allowed];
  const why = [
    ...grantedBy.map((ground) => describe(ground, (role) => texts.granted(roleName(role)))),
    ...forbiddenBy.map((ground) =>
      describe(ground, (role) => texts.forbidden(roleName(role))),
    ),
  ];
  return (
    <li className="flex items-start gap-2 py-1" title={name}>
      <Icon aria-hidden size={15} className={`mt-0.5 shrink-0 ${COLOURS[allowed]}`} />
      <div className="min-w-0">
        <span className="sr-only">{texts.outcomes[allowed]}: </span>
        <span className={allowed === "no" ? "text-muted" : ""}>{textOf(name)}</span>
        {why.length > 0 && (
          <p className="text-xs text-muted wrap-anywhere">{why.join(" · ")}</p>
        )}
      </div>
    </li>
  );
}

function describe({ role, conditions }: Ground, say: (role: string) => string): string {
  return conditions ? `${say(role)} (${isolate(JSON.stringify(conditions))})` : say(role);
}
