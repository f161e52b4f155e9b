import { formatNumber } from "../../texts/format.ts";
import { useEmbeddingTexts } from "./texts.ts";

/** The number of chunks that a model refuses. */
export function Refused({ chunks }: { chunks: number }) {
  const texts = useEmbeddingTexts();
  if (chunks === 0) return null;
  return <p className="text-xs text-muted">{texts.refused(formatNumber(chunks))}</p>;
}
