import { useNavigate } from "@tanstack/react-router";
import { Eye, EyeOff, Pencil, Share2, Trash2 } from "lucide-react";
import { useState } from "react";
import { toFailure } from "../api/failure.ts";
import { SharingDialog } from "../sharing/dialog.tsx";
import { usePermission } from "../shell/queries.ts";
import { errorText } from "../texts/errors.ts";
import { currentLanguage } from "../texts/language.ts";
import { ActionsMenu } from "../ui/actions-menu.tsx";
import { Confirm } from "../ui/confirm.tsx";
import type { MenuItem } from "../ui/menu.tsx";
import { notify } from "../ui/notices.tsx";
import { changeTemplate, deleteTemplate, type Template } from "./queries.ts";
import { useTemplateTexts } from "./texts.ts";
import { useTemplateChange } from "./use-change.ts";

/** What can be done with a template, as far as one's role in it and roles at all permit. */
export function RowMenu({
  template,
  onDeleted,
}: {
  template: Template;
  onDeleted?: () => void;
}) {
  const texts = useTemplateTexts();
  const navigate = useNavigate();
  const [open, setOpen] = useState<"share" | "delete">();
  const close = () => setOpen(undefined);
  const { id, name, scope, role, builtIn, enabled } = template;
  const toggle = useTemplateChange(
    () => changeTemplate(id, { enabled: !enabled }),
    () => notify(enabled ? texts.isDisabled : texts.isEnabled),
  );
  const say = (error: unknown) => notify(errorText(toFailure(error), currentLanguage()));
  const mayUpdate = usePermission("template:update") && isEditable(template);
  const mayDelete = usePermission("template:delete") && role === "owner" && !builtIn;
  const mayShare =
    usePermission("share:create") && role === "owner" && scope === "personal";
  const item = (
    key: string,
    label: string,
    icon: NonNullable<MenuItem["icon"]>,
    onChoose: () => void,
  ): MenuItem => ({ key, label, icon, onChoose });
  const items = [
    item("open", mayUpdate && !builtIn ? texts.edit : texts.look, Pencil, () =>
      navigate({ to: "/templates/$id", params: { id } }),
    ),
    ...(mayUpdate
      ? [
          item(
            "toggle",
            enabled ? texts.disable : texts.enable,
            enabled ? EyeOff : Eye,
            () => toggle.mutate(undefined, { onError: say }),
          ),
        ]
      : []),
    ...(mayShare ? [item("share", texts.share, Share2, () => setOpen("share"))] : []),
    ...(mayDelete
      ? [
          {
            ...item("delete", texts.delete, Trash2, () => setOpen("delete")),
            isDanger: true,
          },
        ]
      : []),
  ];
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

export function isEditable({ role }: Template): boolean {
  return role === "owner" || role === "editor";
}

interface DeletionProps {
  template: Template;
  onClose: () => void;
  onDone?: () => void;
}

function Deletion({ template, onClose, onDone }: DeletionProps) {
  const texts = useTemplateTexts();
  const remove = useTemplateChange(
    () => deleteTemplate(template.id),
    () => {
      onClose();
      notify(texts.deleted);
      onDone?.();
    },
  );
  return (
    <Confirm
      title={texts.deleteTitle}
      text={texts.deleteText(template.name)}
      action={texts.delete}
      busy={remove.isPending}
      error={remove.error}
      onConfirm={() => remove.mutate()}
      onClose={onClose}
    />
  );
}
