import { Ban, Check, CircleHelp, Minus } from "lucide-react";
import { useState } from "react";
import { PERMISSION_NAMES } from "../../../../src/services/users/contract-permissions.ts";
import { usePermissionText } from "../../texts/permission-text.ts";
import { Checkbox } from "../../ui/checkbox.tsx";
import { Section } from "../../ui/section.tsx";
import { byResource } from "./by-resource.ts";
import type { Role } from "./queries.ts";
import { type Verdict, verdictOf } from "./rules.ts";
import { useRoleTexts } from "./texts.ts";

const ICONS = { yes: Check, no: Minus, conditional: CircleHelp, forbidden: Ban };
const COLOURS = {
  yes: "text-ok",
  no: "text-muted",
  conditional: "text-warn",
  forbidden: "text-danger",
};

/** Every permission in a row, every role in a column. */
export function RolesMatrix({ roles }: { roles: readonly Role[] }) {
  const texts = useRoleTexts();
  const [onlyDifferent, setOnlyDifferent] = useState(false);
  const rows = PERMISSION_NAMES.map((name) => ({
    name,
    verdicts: roles.map(({ permissions }) => verdictOf(permissions, name)),
  }));
  const shown = rows.filter(({ verdicts }) => !onlyDifferent || new Set(verdicts).size > 1);
  return (
    <Section title={texts.matrix} hint={texts.matrixHint}>
      <Checkbox
        label={texts.onlyDifferent}
        checked={onlyDifferent}
        onChange={({ target }) => setOnlyDifferent(target.checked)}
      />
      <div
        role="region"
        aria-label={texts.matrix}
        // it may scroll
        tabIndex={0}
        // positioned, so that the hidden texts of its cells do not widen the page
        className="relative max-h-[75dvh] overflow-auto rounded-lg border border-hairline"
      >
        <table className="w-full border-separate border-spacing-0">
          <thead>
            <tr>
              <th className={`${HEAD} left-0 z-20 min-w-40 text-left`} scope="col">
                {texts.permissions}
              </th>
              {roles.map(({ name }) => (
                <th key={name} className={`${HEAD} z-10`} scope="col">
                  <span className="mx-auto block max-w-28 truncate" title={name}>
                    {name}
                  </span>
                </th>
              ))}
            </tr>
          </thead>
          {byResource(shown).map(([resource, permissions]) => (
            <tbody key={resource}>
              <tr>
                <th
                  scope="rowgroup"
                  colSpan={roles.length + 1}
                  className="px-3 pt-4 pb-1 text-left font-medium"
                >
                  <span className="sticky left-3">{texts.resource(resource)}</span>
                </th>
              </tr>
              {permissions.map((row) => (
                <Row key={row.name} {...row} />
              ))}
            </tbody>
          ))}
        </table>
      </div>
    </Section>
  );
}

const HEAD =
  "sticky top-0 border-b border-hairline bg-sunken px-3 py-2 text-xs font-medium";

function Row({ name, verdicts }: { name: string; verdicts: readonly Verdict[] }) {
  const texts = useRoleTexts();
  const textOf = usePermissionText();
  return (
    <tr title={name}>
      <th
        scope="row"
        className={
          "sticky left-0 border-b border-hairline bg-page px-3 py-1.5 text-left " +
          "font-normal max-sm:text-xs"
        }
      >
        {textOf(name)}
      </th>
      {verdicts.map((verdict, column) => {
        const Icon = ICONS[verdict];
        return (
          <td
            // roles do not change places within a row
            // oxlint-disable-next-line react/no-array-index-key
            key={column}
            className="border-b border-hairline px-3 py-1.5"
          >
            <Icon aria-hidden size={15} className={`mx-auto ${COLOURS[verdict]}`} />
            <span className="sr-only">{texts.outcomes[verdict]}</span>
          </td>
        );
      })}
    </tr>
  );
}
