import { ChartColumn, Code, Download, Workflow } from "lucide-react";
import { useEffect, useMemo, useState } from "react";
import type { DrawingKind, FrameAnswer } from "./frame-messages.ts";
import { IconButton } from "../ui/icon-button.tsx";
import { CodeBlock } from "./code-block.tsx";
import { readChartRows } from "./chart-rows.ts";
import { boundHeight, expectHeight, keepHeight } from "./drawing-height.ts";
import { PlainTable } from "./plain-table.tsx";
import { SandboxedFrame } from "./sandboxed-frame.tsx";
import { saveText } from "../ui/save-file.ts";
import { useMarkdownTexts } from "./texts.ts";
import { useIsDark } from "./use-is-dark.ts";

/** The libraries are loaded in this time too. */
const MAX_DRAWING_MS = 20_000;

interface DrawingProps {
  kind: DrawingKind;
  source: string;
}

/** A diagram or a chart, with its source, and with its data as a table. */
export function Drawing({ kind, source }: DrawingProps) {
  const isDark = useIsDark();
  return <Drawn key={`${isDark} ${source}`} kind={kind} source={source} isDark={isDark} />;
}

function Drawn({ kind, source, isDark }: DrawingProps & { isDark: boolean }) {
  const texts = useMarkdownTexts();
  const [failure, setFailure] = useState<string>();
  const [svg, setSvg] = useState<string>();
  const [height, setHeight] = useState(() => expectHeight(kind, source));
  const [showsSource, showSource] = useState(false);
  const rows = useMemo(
    () => (kind === "vega" ? readChartRows(source) : undefined),
    [kind, source],
  );
  const request = useMemo(() => ({ kind, source, isDark }), [kind, source, isDark]);
  const isWaiting = svg === undefined && failure === undefined;
  useEffect(() => {
    if (!isWaiting) return undefined;
    const timer = setTimeout(() => setFailure(texts.drawingTooLong), MAX_DRAWING_MS);
    return () => clearTimeout(timer);
  }, [isWaiting, texts]);
  const onAnswer = (answer: FrameAnswer) => {
    if (answer.type === "drawn") setSvg(String(answer.svg));
    if (answer.type === "failed") setFailure(String(answer.message));
    if (answer.type !== "height") return;
    const said = boundHeight(answer.height);
    keepHeight(source, said);
    setHeight(said);
  };
  const name = kind === "vega" ? texts.chart : texts.diagram;
  const Icon = kind === "vega" ? ChartColumn : Workflow;
  if (failure !== undefined)
    return (
      <div className="markdown-failed">
        <p role="status">
          {texts.notDrawn(name)} <bdi>{failure}</bdi>
        </p>
        <CodeBlock code={source} language={kind === "vega" ? "json" : "mermaid"} />
      </div>
    );
  return (
    <figure className="markdown-code markdown-drawing" aria-busy={isWaiting}>
      <figcaption>
        <span className="flex items-center gap-1.5">
          <Icon aria-hidden size={14} />
          {name}
        </span>
        <span className="flex">
          <IconButton
            icon={Code}
            label={texts.showSource}
            pressed={showsSource}
            onClick={() => showSource(!showsSource)}
          />
          <IconButton
            icon={Download}
            label={texts.downloadPicture}
            disabled={svg === undefined}
            onClick={() => saveText(`${kind}.svg`, svg ?? "", "image/svg+xml")}
          />
        </span>
      </figcaption>
      <SandboxedFrame
        address="/frame/drawing.html"
        title={name}
        request={request}
        onAnswer={onAnswer}
        height={height}
      />
      {rows && (
        <details className="markdown-data">
          <summary>{texts.chartData}</summary>
          <PlainTable rows={rows} />
        </details>
      )}
      {showsSource && (
        <CodeBlock code={source} language={kind === "vega" ? "json" : "mermaid"} />
      )}
    </figure>
  );
}
