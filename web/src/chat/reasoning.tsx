import { useChatTexts } from "./texts.ts";

/** The model's reasoning, expanded while there is no text yet. */
export function Reasoning({ text, isOpen }: { text: string; isOpen: boolean }) {
  const texts = useChatTexts();
  if (text === "") return null;
  return (
    <details open={isOpen} className="text-muted">
      <summary className="min-h-6 pointer-coarse:min-h-11">{texts.reasoning}</summary>
      <p dir="auto" className="mt-1 border-l-2 border-hairline pl-3 whitespace-pre-wrap">
        {text}
      </p>
    </details>
  );
}
