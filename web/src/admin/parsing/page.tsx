import { useQuery } from "@tanstack/react-query";
import { toSentence } from "../../api/failure.ts";
import { useErrorText } from "../../texts/errors.ts";
import { formatBytes, formatRoughDuration, formatNumber } from "../../texts/format.ts";
import { nameOf } from "../../texts/name-of.ts";
import { Section } from "../../ui/section.tsx";
import { Loading } from "../../ui/loading.tsx";
import { Problem } from "../../ui/states.tsx";
import { Status } from "../../ui/status.tsx";
import { nameType } from "./name-type.ts";
import { type ParserInfo, parserQuery } from "./queries.ts";
import { useParsingTexts } from "./texts.ts";

/** The parsers, their limits, and those that are not set up. */
export function ParsingPage() {
  const texts = useParsingTexts();
  const { data, error, refetch } = useQuery(parserQuery);
  if (error) return <Problem error={error} onRetry={() => void refetch()} />;
  if (!data) return <Loading shape="list" lines={6} />;
  const { info, health } = data;
  const readers = info.backends.map((backend) => ({
    ...backend,
    isDown: health.backends[backend.key]?.status === "down",
    note: backend.key === info.default ? texts.isDefault : undefined,
  }));
  return (
    <>
      <Section title={texts.title} hint={texts.hint}>
        <Readers readers={readers} />
      </Section>
      <Section title={texts.ocr} hint={texts.ocrHint}>
        <Readers readers={[...info.ocr, info.captions]} />
      </Section>
      <Section title={texts.limits}>
        <Limits limits={info.limits} />
      </Section>
      <Section title={texts.formats}>
        <p className="text-muted">{info.formats.map(nameType).join(", ")}</p>
      </Section>
    </>
  );
}

type Reader = ParserInfo["captions"] & {
  files?: readonly string[];
  isDown?: boolean;
  note?: string | undefined;
};

function Readers({ readers }: { readers: readonly Reader[] }) {
  return (
    <ul className="divide-y divide-hairline">
      {readers.map((reader) => (
        <ReaderRow key={reader.key} reader={reader} />
      ))}
    </ul>
  );
}

function ReaderRow({ reader }: { reader: Reader }) {
  const texts = useParsingTexts();
  const { key, available, files, isDown, note } = reader;
  const reason = useErrorText(toSentence(reader.reason, reader));
  return (
    <li className="grid gap-x-6 gap-y-1 py-2 sm:grid-cols-[14rem_minmax(0,1fr)]">
      <p>
        <span className="font-medium">{nameOf(texts.names, key)}</span>
        {note && <span className="block text-xs text-muted">{note}</span>}
      </p>
      <div className="min-w-0">
        <Status
          kind={!available ? "idle" : isDown ? "down" : "ok"}
          label={!available ? texts.notSetUp : isDown ? texts.down : texts.works}
        />
        {reason && <p className="text-xs text-muted wrap-anywhere">{reason}</p>}
        {files && <p className="text-xs text-muted">{files.map(nameType).join(", ")}</p>}
      </div>
    </li>
  );
}

function Limits({ limits }: Pick<ParserInfo, "limits">) {
  const texts = useParsingTexts();
  const { isolation } = limits;
  const facts = [
    [texts.maxFile, formatBytes(limits.maxBytes)],
    [texts.memory, formatBytes(limits.memoryBytes)],
    [texts.time, formatRoughDuration(limits.timeLimitMs)],
    [texts.jobTime, formatRoughDuration(limits.jobTimeLimitMs)],
    [texts.processes, formatNumber(limits.processes)],
    [texts.perMinute, formatNumber(limits.jobsPerMinute)],
    [texts.isolation, texts.isolated(isolation.kind)],
    [texts.keptOut, list(isolation.holds.map((part) => texts.isolationParts[part])) || "–"],
    [
      texts.notKeptOut,
      list(isolation.lacks.map((part) => texts.isolationParts[part])) || "–",
    ],
  ] as const;
  return (
    <dl className="grid gap-x-6 gap-y-1 sm:grid-cols-[auto_minmax(0,1fr)]">
      {facts.map(([name, value]) => (
        <div key={name} className="contents">
          <dt className="text-muted">{name}</dt>
          <dd className="mb-2 sm:mb-0">{value}</dd>
        </div>
      ))}
    </dl>
  );
}

function list(parts: readonly string[]): string {
  return parts.join(", ");
}
