import { formatNumber } from "../../texts/format.ts";
import { useEmbeddingTexts } from "./texts.ts";

/** How many chunks a model does not take. */
export function Refused({ chunks }: { chunks: number }) {
  const texts = useEmbeddingTexts();
  if (chunks === 0) return null;
  return <p className="text-xs text-muted">{texts.refused(formatNumber(chunks))}</p>;
}
