import { Markdown } from "../markdown/markdown.tsx";
import { useChatTexts } from "./texts.ts";

interface ReasoningProps {
  text: string;
  /** Whether the model still thinks. */
  isGrowing: boolean;
}

/** What the model thought: expanded while it thinks, then folded above its answer. */
export function Reasoning({ text, isGrowing }: ReasoningProps) {
  const texts = useChatTexts();
  if (text === "") return null;
  return (
    <details open={isGrowing} className="min-w-0 text-muted">
      <summary className="min-h-6 pointer-coarse:min-h-11">{texts.reasoning}</summary>
      <div className="mt-1 border-l-2 border-hairline pl-3">
        <Markdown text={text} isGrowing={isGrowing} className="markdown-small" />
      </div>
    </details>
  );
}
