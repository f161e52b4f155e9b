import { CodeBlock } from "../markdown/code-block.tsx";
import { Markdown } from "../markdown/markdown.tsx";
import type { StoredCanvas } from "./queries.ts";
import { useCanvasTexts } from "./texts.ts";

/** A canvas as it reads. Code, and the source of a web page, stand as they are: nothing runs. */
export function Reading({ canvas }: { canvas: StoredCanvas }) {
  const texts = useCanvasTexts();
  const { type, language, content } = canvas;
  return (
    <div
      tabIndex={0}
      role="region"
      aria-label={canvas.title}
      className="min-h-0 flex-1 overflow-y-auto px-4 pb-10 outline-offset-[-2px] md:px-6"
    >
      <div className="mx-auto max-w-measure">
        {content.trim() === "" && <p className="py-4 text-muted">{texts.blank}</p>}
        {type === "markdown" ? (
          <Markdown text={content} />
        ) : (
          <div className="markdown">
            <CodeBlock
              code={content}
              language={type === "html" ? "html" : (language ?? "")}
            />
          </div>
        )}
      </div>
    </div>
  );
}
