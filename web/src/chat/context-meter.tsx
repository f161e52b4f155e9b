import { Meter } from "../charts/meter.tsx";
import { useModels } from "../shell/use-models.ts";
import { formatNumber } from "../texts/format.ts";
import { texts } from "../texts/language.ts";
import type { ThreadMessage } from "./queries.ts";

/** Below it nobody needs to know. */
const SHOWN_FROM = 0.2;
/** The server sums up older messages from a half on, but what it counts are messages alone. */
const CONDENSED_FROM = 0.5;

/**
 * How much of what the model reads at once the conversation takes, by its last answer: after tools
 * by the last time that the model was asked, since the sum is of several.
 */
export function ContextMeter({ last }: { last: ThreadMessage }) {
  const words = useMeterTexts();
  const model = useModels()?.find(({ id }) => id === last.model);
  const share = shareOf(last, model?.contextWindow);
  if (share === undefined || share < SHOWN_FROM) return null;
  const percent = formatNumber(Math.min(1, share), {
    style: "percent",
    maximumFractionDigits: 0,
  });
  const sentence = share < CONDENSED_FROM ? words.used(percent) : words.condensed(percent);
  return (
    <div className="mx-auto flex w-full max-w-measure items-center gap-3 px-4 pb-1 print:hidden">
      <div className="w-16 shrink-0">
        <Meter label={words.label} share={share} warnAt={CONDENSED_FROM} />
      </div>
      <p className="min-w-0 text-xs text-muted">{sentence}</p>
    </div>
  );
}

function shareOf(
  { role, status, usage, toolCalls }: ThreadMessage,
  contextWindow: number | undefined,
): number | undefined {
  if (role !== "assistant" || status === "streaming" || !usage || !contextWindow)
    return undefined;
  const { inputTokens, outputTokens, contextTokens } = usage;
  // replies of earlier versions only have the sum
  if (contextTokens === undefined && toolCalls.length > 0) return undefined;
  return (contextTokens ?? inputTokens + outputTokens) / contextWindow;
}

const en = {
  label: "Used context of the model",
  used: (percent: string) => `About ${percent} of what the model can read at once is used.`,
  condensed: (percent: string) =>
    `About ${percent} of what the model can read at once is used: older messages ` +
    "may be summed up.",
};
const de = {
  label: "Genutzter Kontext des Modells",
  used: (percent: string) =>
    `Etwa ${percent} dessen, was das Modell auf einmal lesen kann, sind belegt.`,
  condensed: (percent: string) =>
    `Etwa ${percent} dessen, was das Modell auf einmal lesen kann, sind belegt: Ältere Nachrichten ` +
    "werden womöglich zusammengefasst.",
} satisfies typeof en;
const useMeterTexts = texts({ en, de });
