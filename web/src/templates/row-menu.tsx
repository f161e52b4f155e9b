import { useNavigate } from "@tanstack/react-router";
import { Eye, EyeOff, Pencil, Share2, Trash2 } from "lucide-react";
import { useState } from "react";
import { SharingDialog } from "../sharing/dialog.tsx";
import { usePermission } from "../shell/queries.ts";
import { ActionsMenu } from "../ui/actions-menu.tsx";
import { ConfirmChange } from "../shell/confirm-change.tsx";
import type { MenuItem } from "../ui/menu.tsx";
import { notify, notifyFailure } from "../ui/notices.tsx";
import {
  changeTemplate,
  deleteTemplate,
  type Template,
  TEMPLATE_KEYS,
  useTemplateChange,
} from "./queries.ts";
import { useRights } from "./rights.ts";
import { useTemplateTexts } from "./texts.ts";

type Opened = "share" | "delete";

interface RowMenuProps {
  template: Template;
  onDeleted?: () => void;
}

/** The actions on a template that the user's share and roles permit. */
export function RowMenu({ template, onDeleted }: RowMenuProps) {
  const texts = useTemplateTexts();
  const [open, setOpen] = useState<Opened>();
  const items = useTemplateActions(template, setOpen);
  const close = () => setOpen(undefined);
  const { id, name } = template;
  return (
    <>
      <ActionsMenu label={texts.actions(name)} items={items} />
      {open === "delete" && (
        <Deletion
          template={template}
          onClose={close}
          {...(onDeleted && { onDone: onDeleted })}
        />
      )}
      {open === "share" && (
        <SharingDialog
          resource={{ resourceType: "template", resourceId: id }}
          name={name}
          path={`/templates/${id}`}
          onClose={close}
        />
      )}
    </>
  );
}

function useTemplateActions(
  template: Template,
  open: (dialog: Opened) => void,
): MenuItem[] {
  const texts = useTemplateTexts();
  const navigate = useNavigate();
  const { id, scope, role, builtIn, enabled } = template;
  const toggle = useTemplateChange(
    () => changeTemplate(id, { enabled: !enabled }),
    () => notify(enabled ? texts.isDisabled : texts.isEnabled),
  );
  const rights = useRights();
  const mayUpdate = rights.update(template);
  const mayDelete = rights.delete(template);
  const mayShare =
    usePermission("share:create") && role === "owner" && scope === "personal";
  const look: MenuItem = {
    key: "open",
    label: mayUpdate && !builtIn ? texts.edit : texts.look,
    icon: Pencil,
    onChoose: () => navigate({ to: "/templates/$id", params: { id } }),
  };
  const switchIt: MenuItem = {
    key: "toggle",
    label: enabled ? texts.disable : texts.enable,
    icon: enabled ? EyeOff : Eye,
    onChoose: () => toggle.mutate(undefined, { onError: notifyFailure }),
  };
  const share: MenuItem = {
    key: "share",
    label: texts.share,
    icon: Share2,
    onChoose: () => open("share"),
  };
  const remove: MenuItem = {
    key: "delete",
    label: texts.delete,
    icon: Trash2,
    isDanger: true,
    onChoose: () => open("delete"),
  };
  return [
    look,
    ...(mayUpdate ? [switchIt] : []),
    ...(mayShare ? [share] : []),
    ...(mayDelete ? [remove] : []),
  ];
}

interface DeletionProps {
  template: Template;
  onClose: () => void;
  onDone?: () => void;
}

function Deletion({ template, onClose, onDone }: DeletionProps) {
  const texts = useTemplateTexts();
  return (
    <ConfirmChange
      title={texts.deleteTitle}
      text={texts.deleteText(template.name)}
      action={texts.delete}
      run={() => deleteTemplate(template.id)}
      keys={TEMPLATE_KEYS}
      done={texts.deleted}
      onDone={onDone}
      onClose={onClose}
    />
  );
}
