import { Link } from "@tanstack/react-router";
import { MessageSquare, TextQuote } from "lucide-react";
import { buttonLook } from "../ui/button.tsx";
import { ChooseBox } from "../ui/choose-box.tsx";
import { CHOSEN_ROW, IN_MARGIN } from "../ui/chosen-row.ts";
import type { Template } from "./queries.ts";
import { join } from "../ui/join.ts";
import type { Chosen } from "../ui/use-chosen.ts";
import { tintOf } from "../ui/tint.ts";
import { useLanguage } from "../texts/language.ts";
import { RowMenu } from "./row-menu.tsx";
import { useTemplateTexts } from "./texts.ts";

interface TemplateRowProps {
  template: Template;
  /** Absent where none of the list can be chosen. */
  chosen: Chosen | undefined;
  /** Otherwise it can be neither offered nor deleted. */
  isChangeable: boolean;
}

/** A template in a list: its name, its owner and its actions. */
export function TemplateRow({ template, chosen, isChangeable }: TemplateRowProps) {
  const texts = useTemplateTexts();
  const readersLanguage = useLanguage();
  const { id, name, description, language, enabled, variables } = template;
  return (
    <li
      className={join(
        "group relative isolate flex items-start gap-3 py-1.5",
        chosen?.has(id) && CHOSEN_ROW,
      )}
    >
      {chosen && (
        <span className={IN_MARGIN}>
          <ChooseBox chosen={chosen} id={id} name={name} disabled={!isChangeable} />
        </span>
      )}
      <span
        aria-hidden
        className={join(
          "grid size-8 shrink-0 place-items-center rounded-[0.55rem]",
          tintOf(template.id),
        )}
      >
        <TextQuote size={17} />
      </span>
      <div className="min-w-0 flex-1">
        <Link
          to="/templates/$id"
          params={{ id }}
          title={name}
          className="block min-h-6 truncate font-medium hover:underline"
        >
          <bdi>{name}</bdi>
        </Link>
        <p className="flex gap-x-2 text-sm text-muted">
          {description && (
            <bdi className="min-w-0 truncate" title={description}>
              {description}
            </bdi>
          )}
          <span className={join("shrink-0 truncate", description && "max-sm:hidden")}>
            {description && "· "}
            <Whose template={template} />
            {language !== readersLanguage && ` · ${language}`} ·{" "}
            {texts.gaps(variables.length)}
          </span>
          {!enabled && <span className="shrink-0 text-warn">· {texts.disabled}</span>}
        </p>
      </div>
      {enabled && (
        <Link
          to="/"
          search={{ template: id }}
          title={texts.useNamed(name)}
          className={buttonLook("quiet")}
        >
          <MessageSquare aria-hidden size={16} className="sm:hidden" />
          <span className="max-sm:sr-only">{texts.use}</span>
        </Link>
      )}
      <RowMenu template={template} />
    </li>
  );
}

/** Why the user may use it. */
export function Whose({
  template: { scope, builtIn, role, ownerName },
}: {
  template: Template;
}) {
  const texts = useTemplateTexts();
  if (builtIn) return texts.builtIn;
  if (scope === "organization") return texts.ofOrganisation;
  if (role === "owner" || ownerName === null) return texts.yours;
  return (
    <>
      {texts.sharedBy} <bdi>{ownerName}</bdi>
    </>
  );
}
