import { Link } from "@tanstack/react-router";
import { CircleCheck, CircleSlash, X } from "lucide-react";
import { formatAgo } from "../../texts/format.ts";
import { isolate } from "../../texts/isolate.ts";
import { IconButton } from "../../ui/icon-button.tsx";
import { join } from "../../ui/join.ts";
import type { PreviewedMedium } from "./queries.ts";
import { useRuleTexts } from "./texts.ts";

interface PreviewedMediaProps {
  label: string;
  items: readonly PreviewedMedium[];
  onRemove?: (index: number) => void;
}

/** Media, each with what would become of it and why. */
export function PreviewedMedia({ label, items, onRemove }: PreviewedMediaProps) {
  const texts = useRuleTexts();
  return (
    <ul aria-label={label} className="divide-y divide-hairline">
      {items.map((medium, index) => (
        <li key={medium.runId ?? index} className="flex items-start gap-2 py-2">
          <Medium medium={medium} />
          {onRemove && (
            <IconButton
              icon={X}
              label={texts.removeTried(medium.filename)}
              onClick={() => onRemove(index)}
            />
          )}
        </li>
      ))}
    </ul>
  );
}

function Medium({ medium }: { medium: PreviewedMedium }) {
  const { filename, mimeType, receivedAt, runId, outcome } = medium;
  const isTaken = outcome === "this_rule";
  const Icon = isTaken ? CircleCheck : CircleSlash;
  const facts = [mimeType, medium.path ?? medium.origin].filter(Boolean).map(isolate);
  return (
    <>
      <Icon
        aria-hidden
        size={16}
        className={join("mt-0.5 shrink-0", isTaken ? "text-ok" : "text-muted")}
      />
      <div className="min-w-0 flex-1">
        <p className="truncate font-medium" title={filename}>
          {runId ? (
            <Link
              to="/automations/runs/$id"
              params={{ id: runId }}
              className="hover:underline"
            >
              <bdi>{filename}</bdi>
            </Link>
          ) : (
            <bdi>{filename}</bdi>
          )}
        </p>
        <p className="truncate text-xs text-muted" title={facts.join(" · ")}>
          {facts.join(" · ")}
          {receivedAt && ` · ${formatAgo(receivedAt)}`}
        </p>
        <Why medium={medium} />
      </div>
    </>
  );
}

/** What becomes of a medium, then why, in whole sentences. */
function Why({ medium }: { medium: PreviewedMedium }) {
  const texts = useRuleTexts();
  const { outcome, fits, typeMatch, originMatch, mimeType, rule } = medium;
  const place = medium.path ?? (medium.origin || texts.noOrigin);
  const outcomes = {
    this_rule: texts.outcomes.this_rule,
    own_output: texts.outcomes.own_output,
    other_rule: fits
      ? texts.outcomes.other_rule(isolate(rule?.name ?? ""))
      : texts.outcomes.goesTo(isolate(rule?.name ?? "")),
    no_rule: "",
  };
  const reasons = [
    typeMatch ? texts.why[typeMatch] : texts.why.noType(mimeType),
    originMatch
      ? originMatch !== "*" && texts.why.origin(originMatch)
      : texts.why.noOrigin(isolate(place)),
  ];
  const misses = [!typeMatch && reasons[0], !originMatch && reasons[1]];
  const sentences = [outcomes[outcome], ...(fits ? reasons : misses)].filter(Boolean);
  return (
    <p className={join("text-xs wrap-anywhere", outcome === "this_rule" && "text-ok")}>
      {sentences.join(" ")}
    </p>
  );
}
