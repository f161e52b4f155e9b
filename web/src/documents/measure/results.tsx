import { GroupedBars } from "../../charts/grouped-bars.tsx";
import { formatNumber } from "../../texts/format.ts";
import { DataTable } from "../../ui/data-table.tsx";
import { Section } from "../../ui/section.tsx";
import { useTryTexts } from "../try-texts.ts";
import { Warning } from "../warning.tsx";
import { ENGINES, type Figures } from "./queries.ts";
import { useMeasureTexts } from "./texts.ts";

const MEASURES = ["ndcgAt10", "recallAt10", "mrrAt10"] as const;
const share = (value: number) => formatNumber(value, { style: "percent" });

/** The figures of each way of searching: as bars, as a table, and what it did not find. */
export function Results({ variants }: { variants: readonly Figures[] }) {
  const texts = useMeasureTexts();
  const nameOf = useEngineName();
  return (
    <Section title={texts.results} hint={texts.resultsHint(variants[0]?.questions ?? 0)}>
      <GroupedBars
        caption={texts.results}
        groups={variants.map(({ name }) => nameOf(name))}
        series={MEASURES.map((measure) => ({
          key: measure,
          label: texts.measures[measure],
          values: variants.map((variant) => variant[measure]),
        }))}
        format={share}
      />
      <DataTable
        caption={texts.results}
        rows={variants}
        keyOf={({ name }) => name}
        columns={[
          { key: "name", label: texts.way, cell: ({ name }) => nameOf(name) },
          ...MEASURES.map((measure) => ({
            key: measure,
            label: texts.measures[measure],
            isNumber: true,
            cell: (variant: Figures) => share(variant[measure]),
          })),
          {
            key: "time",
            label: texts.time,
            isNumber: true,
            cell: ({ medianMs }) =>
              `${formatNumber(medianMs, { maximumFractionDigits: 0 })} ms`,
          },
        ]}
      />
      {variants.map((variant) => (
        <Missed key={variant.name} variant={variant} name={nameOf(variant.name)} />
      ))}
    </Section>
  );
}

function Missed({ variant, name }: { variant: Figures; name: string }) {
  const texts = useMeasureTexts();
  const { missed, warnings } = variant;
  if (missed.length === 0 && warnings.length === 0) return null;
  return (
    <details>
      <summary className="min-h-6 cursor-pointer">
        {texts.missed(name, missed.length)}
      </summary>
      <ul className="ml-5 list-disc">
        {missed.map((question) => (
          <li key={question} className="wrap-anywhere">
            <bdi>{question}</bdi>
          </li>
        ))}
        {warnings.map((warning) => (
          <li key={warning.message} className="text-warn wrap-anywhere">
            <Warning warning={warning} />
          </li>
        ))}
      </ul>
    </details>
  );
}

function useEngineName(): (name: string) => string {
  const { engines } = useTryTexts();
  return (name) => {
    const engine = ENGINES.find((one) => one === name);
    return engine ? engines[engine].name : name;
  };
}
