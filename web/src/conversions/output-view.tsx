import { Copy } from "lucide-react";
import { useState } from "react";
import { copyText } from "../ui/copy-text.ts";
import { Button } from "../ui/button.tsx";
import { Checkbox } from "../ui/checkbox.tsx";
import { notify } from "../ui/notices.tsx";
import { TextChanges } from "../ui/text-changes.tsx";
import { Markdown } from "../markdown/markdown.tsx";
import type { Conversion } from "./queries.ts";
import { useTextTexts } from "./texts.ts";

/** A result; of a grammar check with what was changed, or without. */
export function OutputView({ conversion }: { conversion: Conversion }) {
  const texts = useTextTexts();
  const { type, output, changes } = conversion;
  const [showsChanges, setShowsChanges] = useState(true);
  const isUnchanged = changes?.every(({ kind }) => kind === "same") ?? false;
  const copy = () => copyText(output).then(() => notify(texts.copied));
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-3">
      <div className="flex flex-wrap items-center justify-between gap-2">
        {changes ? (
          <Checkbox
            label={texts.showChanges}
            checked={showsChanges}
            onChange={(event) => setShowsChanges(event.target.checked)}
          />
        ) : (
          <span />
        )}
        <Button onClick={() => void copy()}>
          <Copy aria-hidden size={16} />
          {texts.copy}
        </Button>
      </div>
      {isUnchanged && <p className="text-ok">{texts.nothingToCorrect}</p>}
      <div className="rounded-lg border border-hairline bg-raised p-4">
        {changes && showsChanges ? (
          <TextChanges changes={changes} />
        ) : type === "grammar" ? (
          <p dir="auto" className="whitespace-pre-wrap wrap-anywhere">
            {output}
          </p>
        ) : (
          <Markdown text={output} />
        )}
      </div>
    </div>
  );
}
