import { useQuery } from "@tanstack/react-query";
import { type FormEvent, useState } from "react";
import { formatNumber } from "../texts/format.ts";
import { Button } from "../ui/button.tsx";
import { SelectField } from "../ui/select-field.tsx";
import { Loading } from "../ui/loading.tsx";
import { Problem } from "../ui/states.tsx";
import { TextField } from "../ui/text-field.tsx";
import { CHUNKING_METHODS, type Cutting, cutQuery } from "./cut-queries.ts";
import { useDocumentTexts } from "./texts.ts";
import { texts } from "../texts/language.ts";
import { usePlace } from "../texts/place.ts";
import type { Chunk as CutChunk } from "../../../src/services/embedding/contract.ts";

/** The limits of the API. */
const SIZES = { min: 16, max: 8192 };
const OVERLAPS = { min: 0, max: 4096 };

/** Other ways to cut a document, held against its text; the index stays. */
export function Cut({ id }: { id: string }) {
  const texts = useCutTexts();
  const [cutting, setCutting] = useState<Cutting>({});
  const { data, error, isPending, isPlaceholderData, refetch } = useQuery(
    cutQuery(id, cutting),
  );
  // while the document is only read again, the form stays free
  const isCutting = isPending || isPlaceholderData;
  return (
    <div className="grid gap-4">
      <p className="text-muted">{texts.hint}</p>
      <CuttingForm busy={isCutting} onCut={setCutting} />
      {error && <Problem error={error} onRetry={() => void refetch()} />}
      {!data && !error && <Loading lines={8} />}
      {data && !error && (
        <>
          <p role="status" className="text-xs text-muted">
            {texts.methods[data.method]} ·{" "}
            {texts.total(formatNumber(data.totalChunks), formatNumber(data.chunks.length))}
          </p>
          <ol className="grid gap-2">
            {data.chunks.map((chunk) => (
              <Chunk key={chunk.index} chunk={chunk} />
            ))}
          </ol>
        </>
      )}
    </div>
  );
}

function CuttingForm({
  busy,
  onCut,
}: {
  busy: boolean;
  onCut: (cutting: Cutting) => void;
}) {
  const texts = useCutTexts();
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const fields = new FormData(event.currentTarget);
    const numberOf = (name: string) =>
      fields.get(name) ? Number(fields.get(name)) : undefined;
    const method = CHUNKING_METHODS.find((one) => one === fields.get("method"));
    onCut({ method, chunkSize: numberOf("size"), chunkOverlap: numberOf("overlap") });
  };
  return (
    <form className="flex flex-wrap items-end gap-3" onSubmit={submit}>
      <SelectField label={texts.method} name="method" defaultValue="">
        <option value="">{texts.asFolder}</option>
        {CHUNKING_METHODS.map((method) => (
          <option key={method} value={method}>
            {texts.methods[method]}
          </option>
        ))}
      </SelectField>
      <TextField className="w-36" label={texts.size} name="size" type="number" {...SIZES} />
      <TextField
        className="w-40"
        label={texts.overlap}
        name="overlap"
        type="number"
        {...OVERLAPS}
      />
      <Button type="submit" look="primary" busy={busy} className="min-h-9">
        {texts.cut}
      </Button>
    </form>
  );
}

interface ChunkProps {
  chunk: Pick<CutChunk, "index" | "content" | "tokenCount" | "pageNumber" | "place">;
}

function Chunk({ chunk }: ChunkProps) {
  const texts = useCutTexts();
  const where = usePlace()(chunk);
  const { index, content, tokenCount } = chunk;
  const shared = useDocumentTexts();
  return (
    <li className="rounded-lg border border-hairline bg-raised p-3">
      <p className="mb-1 text-xs text-muted">
        {shared.chunk(index + 1)} ·{" "}
        {where && (
          <>
            <bdi>{where}</bdi> ·{" "}
          </>
        )}
        {texts.tokens(formatNumber(tokenCount))}
      </p>
      <p dir="auto" className="whitespace-pre-wrap wrap-anywhere">
        {content}
      </p>
    </li>
  );
}

const en = {
  hint: "How the text would be cut otherwise. Nothing is changed: the search keeps its chunks.",
  method: "Way to cut",
  methods: {
    lib_recursive: "At headings, paragraphs and sentences",
    lib_text_splitter: "At paragraphs",
    semchunk: "Where the subject changes",
    fixed_size: "Every so many tokens",
  },
  asFolder: "As it is cut now",
  size: "Tokens a chunk",
  overlap: "Tokens of overlap",
  cut: "Cut",
  total: (total: string, shown: string) =>
    total === shown
      ? `${total} chunks`
      : `${total} chunks, of which these are the first ${shown}`,
  tokens: (count: string) => `${count} tokens`,
};
const de = {
  hint: "Wie der Text anders geteilt würde. Nichts ändert sich: Die Suche behält ihre Abschnitte.",
  method: "Art zu teilen",
  methods: {
    lib_recursive: "An Überschriften, Absätzen und Sätzen",
    lib_text_splitter: "An Absätzen",
    semchunk: "Wo das Thema wechselt",
    fixed_size: "Nach so vielen Tokens",
  },
  asFolder: "Wie jetzt",
  size: "Tokens je Abschnitt",
  overlap: "Tokens Überlappung",
  cut: "Teilen",
  total: (total: string, shown: string) =>
    total === shown
      ? `${total} Abschnitte`
      : `${total} Abschnitte, davon die ersten ${shown}`,
  tokens: (count: string) => `${count} Tokens`,
} satisfies typeof en;

const useCutTexts = texts({ en, de });
