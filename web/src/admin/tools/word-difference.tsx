import { compareWords } from "./compare-words.ts";
import { useToolTexts } from "./texts.ts";

/** The words that were removed from a text, and those that were added. */
export function WordDifference({ before, after }: { before: string; after: string }) {
  const texts = useToolTexts();
  return (
    <bdi>
      {compareWords(before, after).map(({ kind, text }, at) => {
        if (kind === "same") return <span key={at}>{text}</span>;
        const isAdded = kind === "added";
        const Mark = isAdded ? "ins" : "del";
        return (
          <Mark
            key={at}
            className={isAdded ? "bg-mark no-underline" : "text-danger line-through"}
          >
            <span className="sr-only">{isAdded ? texts.added : texts.removed} </span>
            {text}
          </Mark>
        );
      })}
    </bdi>
  );
}
