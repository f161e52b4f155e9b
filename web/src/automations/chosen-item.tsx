import type { ReactNode } from "react";
import { usePermission } from "../shell/queries.ts";
import { ChooseBox } from "../ui/choose-box.tsx";
import { CHOSEN_ROW, IN_MARGIN } from "../ui/chosen-row.ts";
import { join } from "../ui/join.ts";
import type { Chosen } from "../ui/use-chosen.ts";

interface ChosenItemProps {
  id: string;
  name: string;
  /** Absent where none of the list can be chosen. */
  chosen: Chosen | undefined;
  /** Otherwise this one can be neither changed nor deleted. */
  isChangeable?: boolean;
  children: ReactNode;
}

/** A row of a list of automations, with the box that chooses it. */
export function ChosenItem(props: ChosenItemProps) {
  const { id, name, chosen, isChangeable = true, children } = props;
  return (
    <li
      className={join(
        "group relative isolate flex items-start gap-3 py-3",
        chosen?.has(id) && CHOSEN_ROW,
      )}
    >
      {chosen && (
        <span className={IN_MARGIN}>
          <ChooseBox chosen={chosen} id={id} name={name} disabled={!isChangeable} />
        </span>
      )}
      {children}
    </li>
  );
}

/** Whether the user's roles let them change or delete automations, so that some can be chosen. */
export function useMayTidy(): boolean {
  const mayUpdate = usePermission("automation:update");
  const mayDelete = usePermission("automation:delete");
  return mayUpdate || mayDelete;
}
