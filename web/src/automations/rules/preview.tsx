import { useMutation, useQuery } from "@tanstack/react-query";
import { FileSearch, CircleCheck, CircleSlash, X } from "lucide-react";
import { useRef, useState } from "react";
import { useSettled } from "../../shell/use-settled.ts";
import { Button } from "../../ui/button.tsx";
import { Section } from "../../ui/section.tsx";
import { Loading } from "../../ui/loading.tsx";
import { Problem } from "../../ui/states.tsx";
import { TextField } from "../../ui/text-field.tsx";
import {
  inspectFile,
  type Preview as Patterns,
  previewQuery,
  type PreviewedMedium,
} from "./queries.ts";
import { useRuleTexts } from "./texts.ts";
import { Link } from "@tanstack/react-router";
import { formatAgo } from "../../texts/format.ts";
import { isolate } from "../../texts/isolate.ts";
import { IconButton } from "../../ui/icon-button.tsx";
import { join } from "../../ui/join.ts";

type Tried = Awaited<ReturnType<typeof inspectFile>>;
const MAX_TRIED = 20;

/** Which of the last media, and of files that are tried, a rule would get while it is written. */
export function Preview({ rule }: { rule: Patterns }) {
  const texts = useRuleTexts();
  const settled = useSettled(rule);
  const isReady =
    settled.type.toString().trim() !== "" && settled.origin?.toString() !== "";
  return (
    <Section title={texts.preview} hint={texts.previewHint}>
      <TriedFiles rule={settled} isReady={isReady} />
      {isReady ? (
        <RecentMedia rule={settled} />
      ) : (
        <p className="text-muted">{texts.typeFirst}</p>
      )}
    </Section>
  );
}

function RecentMedia({ rule }: { rule: Patterns }) {
  const texts = useRuleTexts();
  const { data, error, isPending } = useQuery(previewQuery(rule));
  if (error) return <Problem error={error} />;
  if (isPending) return <Loading shape="list" lines={4} />;
  if (data.items.length === 0) return <p className="text-muted">{texts.noMedia}</p>;
  const count = data.items.filter(({ outcome }) => outcome === "this_rule").length;
  return (
    <div className="grid grid-cols-1 gap-1">
      <p role="status" className="font-medium">
        {texts.summary(count, data.items.length)}
      </p>
      <PreviewedMedia label={texts.preview} items={data.items} />
    </div>
  );
}

interface TriedProps {
  rule: Patterns;
  isReady: boolean;
}

/** Files whose type the server detects without keeping them. */
function TriedFiles({ rule, isReady }: TriedProps) {
  const texts = useRuleTexts();
  const input = useRef<HTMLInputElement>(null);
  const [files, setFiles] = useState<Tried[]>([]);
  const [origin, setOrigin] = useState("upload");
  const inspect = useMutation({
    mutationFn: inspectFile,
    onSuccess: (file) => setFiles((before) => [file, ...before].slice(0, MAX_TRIED)),
  });
  const media = files.map(({ filename, mimeType }) => ({ filename, mimeType, origin }));
  const isAsked = isReady && media.length > 0;
  const { data, error } = useQuery({
    ...previewQuery({ ...rule, media }),
    enabled: isAsked,
  });
  return (
    <div className="grid grid-cols-1 gap-2">
      <div className="flex flex-wrap items-end gap-3">
        <Button busy={inspect.isPending} onClick={() => input.current?.click()}>
          <FileSearch aria-hidden size={16} />
          {texts.try}
        </Button>
        <input
          ref={input}
          type="file"
          hidden
          onChange={({ target }) => {
            const [file] = target.files ?? [];
            if (file) inspect.mutate(file);
            target.value = "";
          }}
        />
        {files.length > 0 && (
          <TextField
            label={texts.triedOrigin}
            className="min-w-0 flex-1 basis-40"
            value={origin}
            maxLength={2_000}
            onChange={({ target }) => setOrigin(target.value)}
          />
        )}
      </div>
      <p className="text-xs text-muted">{texts.tryHint}</p>
      {(inspect.error ?? error) && <Problem error={inspect.error ?? error} />}
      {isAsked && data && (
        <PreviewedMedia
          label={texts.tried}
          items={data.items}
          onRemove={(index) => setFiles((before) => before.toSpliced(index, 1))}
        />
      )}
    </div>
  );
}

interface PreviewedMediaProps {
  label: string;
  items: readonly PreviewedMedium[];
  onRemove?: (index: number) => void;
}

/** Media, each with what would become of it and why. */
function PreviewedMedia({ label, items, onRemove }: PreviewedMediaProps) {
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
