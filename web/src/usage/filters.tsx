import { useNavigate } from "@tanstack/react-router";
import { usePermission } from "../shell/queries.ts";
import { SelectField } from "../ui/select-field.tsx";
import type { Shown } from "./page.tsx";
import { DAYS, GROUPS, MEASURES, type Report } from "./report.ts";
import { useUsageTexts } from "./texts.ts";

/** What is shown; the choice is part of the address. */
export function Filters({ shown: { days, by, measure, only } }: { shown: Shown }) {
  const texts = useUsageTexts();
  const navigate = useNavigate({ from: "/usage" });
  const seesEverybody = usePermission("budget:administer");
  const choose = (report: Report) =>
    void navigate({
      to: "/usage",
      search: (before) => ({ ...before, ...report }),
      replace: true,
    });
  const groups = GROUPS.filter((group) => group !== "user" || seesEverybody);
  return (
    <div className="flex flex-wrap gap-3">
      <SelectField
        label={texts.period}
        value={days}
        onChange={({ target }) => choose({ days: DAYS[target.selectedIndex] })}
      >
        {DAYS.map((count) => (
          <option key={count} value={count}>
            {texts.lastDays(count)}
          </option>
        ))}
      </SelectField>
      <SelectField
        label={texts.measure}
        value={measure}
        onChange={({ target }) => choose({ measure: MEASURES[target.selectedIndex] })}
      >
        {MEASURES.map((one) => (
          <option key={one} value={one}>
            {texts.measures[one]}
          </option>
        ))}
      </SelectField>
      <SelectField
        label={texts.by}
        value={by}
        onChange={({ target }) =>
          choose({ by: groups[target.selectedIndex], only: undefined })
        }
      >
        {groups.map((group) => (
          <option key={group} value={group}>
            {texts.groups[group]}
          </option>
        ))}
      </SelectField>
      {only !== undefined && (
        <button
          type="button"
          onClick={() => choose({ only: undefined })}
          className="min-h-9 self-end rounded-md px-2 text-accent underline hover:bg-sunken"
        >
          {texts.showAll}
        </button>
      )}
    </div>
  );
}
