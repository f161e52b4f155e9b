import { useMutation, useQuery } from "@tanstack/react-query";
import { FileSearch } from "lucide-react";
import { useRef, useState } from "react";
import { useSettled } from "../../shell/use-settled.ts";
import { Button } from "../../ui/button.tsx";
import { Section } from "../../ui/section.tsx";
import { Loading, Problem } from "../../ui/states.tsx";
import { TextField } from "../../ui/text-field.tsx";
import { PreviewedMedia } from "./previewed-media.tsx";
import { inspectFile, type Preview as Patterns, previewQuery } from "./queries.ts";
import { useRuleTexts } from "./texts.ts";

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
  if (isPending) return <Loading className="px-0" />;
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
