import { useState } from "react";
import { usePermission } from "../shell/queries.ts";
import { ActionsMenu } from "../ui/actions-menu.tsx";
import { ConfirmChange } from "../shell/confirm-change.tsx";
import { AUTOMATION_KEYS } from "./use-automation-change.ts";
import type { MenuItem } from "../ui/menu.tsx";
import { useAutomationTexts } from "./texts.ts";

interface Deletion {
  title: string;
  text: string;
  /** Called after the deletion. */
  done: string;
  run: () => Promise<unknown>;
}

interface RowMenuProps {
  name: string;
  isActive: boolean;
  /** Whether the person may change this one. Default true: it is their own. */
  isOwn?: boolean;
  onEdit: () => void;
  onToggle: () => void;
  more: readonly MenuItem[];
  deletion: Deletion;
}

/** The actions on a rule, source or schedule that the user's roles permit. */
export function RowMenu({ isOwn = true, more, deletion, ...props }: RowMenuProps) {
  const texts = useAutomationTexts();
  const { name, isActive, onEdit, onToggle } = props;
  const mayUpdate = usePermission("automation:update") && isOwn;
  const mayDelete = usePermission("automation:delete") && isOwn;
  const [isDeleting, setDeleting] = useState(false);
  const close = () => setDeleting(false);
  const toggle = {
    key: "toggle",
    label: isActive ? texts.deactivate : texts.activate,
    onChoose: onToggle,
  };
  const removal = {
    key: "delete",
    label: texts.delete,
    isDanger: true,
    onChoose: () => setDeleting(true),
  };
  const items: MenuItem[] = [
    ...(mayUpdate ? [{ key: "edit", label: texts.edit, onChoose: onEdit }] : []),
    ...more,
    ...(mayUpdate ? [toggle] : []),
    ...(mayDelete ? [removal] : []),
  ];
  return (
    <>
      <ActionsMenu label={texts.actions(name)} items={items} />
      {isDeleting && <DeletionDialog deletion={deletion} onClose={close} />}
    </>
  );
}

function DeletionDialog({
  deletion,
  onClose,
}: {
  deletion: Deletion;
  onClose: () => void;
}) {
  const texts = useAutomationTexts();
  return (
    <ConfirmChange
      title={deletion.title}
      text={deletion.text}
      action={texts.delete}
      run={deletion.run}
      keys={AUTOMATION_KEYS}
      done={deletion.done}
      onClose={onClose}
    />
  );
}
