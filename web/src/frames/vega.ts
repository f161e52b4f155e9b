import { loader, parse, type Spec, View } from "vega";
import { expressionInterpreter } from "vega-interpreter";
import { compile, type TopLevelSpec } from "vega-lite";
import { CHART_HEIGHT_PX } from "../markdown/frame-messages.ts";
import { chartLayout, wrapText } from "./chart-layout.ts";
import { TYPEFACE } from "./typeface.ts";

const MAX_WIDTH = 720;
/** Room beside the marks for axes and a legend. */
const FRAME_PX = 16;
/** A chart may make rows of its own. */
const MAX_MADE_ROWS = 20_000;

/** Loads nothing: a chart draws the data that stand in it. */
const ownDataOnly = Object.assign(loader(), {
  load: () => Promise.reject(new Error("A chart draws only the data that stand in it.")),
});

export async function toSvg(
  source: string,
  isDark: boolean,
  width: number,
): Promise<string> {
  const given: unknown = JSON.parse(source);
  if (typeof given !== "object" || given === null || Array.isArray(given))
    throw new Error("A chart is an object of JSON.");
  refuseManyRows(given);
  const isVega = String((given as { $schema?: unknown }).$schema).includes("/vega/");
  const config = isDark ? DARK : LIGHT;
  const room = Math.min(width, MAX_WIDTH) - FRAME_PX;
  const layout = chartLayout(room);
  const spec = isVega
    ? (given as Spec) // the parser names what is wrong in it
    : compile(fit(given, room) as TopLevelSpec, {
        config: {
          ...config,
          ...layout,
          axis: { ...config.axis, ...layout.axis },
          title: { ...config.title, ...layout.title },
          mark: { color: isDark ? "#7cc4bb" : "#1d5f5a" },
        },
      }).spec;
  const problems: string[] = [];
  const note = (...parts: unknown[]) => {
    problems.push(parts.map(String).join(" "));
    return logger;
  };
  const logger: Record<string, (...parts: unknown[]) => unknown> = {
    level: () => logger,
    error: note,
    // what cannot be loaded is only a warning, after which the chart is empty
    warn: (...parts) =>
      String(parts[0]).startsWith("Loading failed") ? note(...parts) : logger,
    info: () => logger,
    debug: () => logger,
  };
  const runtime = parse(spec, config, { ast: true });
  const view = new View(runtime, {
    expr: expressionInterpreter,
    loader: ownDataOnly,
    renderer: "none",
    logger: logger as unknown as ReturnType<View["logger"]>, // `level` reads and writes
  });
  await view.runAsync();
  const svg = await view.toSVG();
  view.finalize();
  if (problems.length > 0) throw new Error(problems[0]);
  return svg;
}

const COMPOSED = ["facet", "hconcat", "vconcat", "concat", "repeat", "spec"];

/** A chart without a size of its own takes the width that there is. */
function fit(given: object, width: number): object {
  const spec = withLines(given, width);
  if (COMPOSED.some((name) => name in spec)) return spec;
  return {
    height: CHART_HEIGHT_PX,
    ...spec,
    ...(!("width" in spec && typeof spec.width === "number") && { width }),
    autosize: { type: "fit", contains: "padding" },
  };
}

/** A title that is longer than the chart is wide takes more lines. */
function withLines(spec: object, width: number): object {
  const { title } = spec as { title?: unknown };
  if (typeof title === "string") return { ...spec, title: wrapText(title, width) };
  if (typeof title !== "object" || title === null || !("text" in title)) return spec;
  const { text } = title;
  if (typeof text !== "string") return spec;
  return { ...spec, title: { ...title, text: wrapText(text, width) } };
}

function refuseManyRows(value: unknown): void {
  if (typeof value !== "object" || value === null) return;
  for (const [name, part] of Object.entries(value)) {
    const { start = 0, stop, step = 1 } = (part ?? {}) as Record<string, number>;
    const rows = name === "sequence" ? (Number(stop) - Number(start)) / Number(step) : 0;
    if (!(Math.abs(rows) <= MAX_MADE_ROWS))
      throw new Error(`A chart makes at most ${MAX_MADE_ROWS} rows of its own.`);
    refuseManyRows(part);
  }
}

/** The colours of charts in `ui/tokens.css`, and of the tints where there are more. */
const colours = (ink: string, faint: string, category: readonly string[]) => ({
  background: "transparent",
  font: TYPEFACE,
  view: { stroke: "transparent" },
  title: { color: ink },
  style: { "guide-label": { fill: ink }, "guide-title": { fill: ink } },
  range: { category: [...category] },
  axis: { domainColor: faint, tickColor: faint, gridColor: faint },
});
const LIGHT = colours("#1f1d18", "#dfdacd", [
  "#1d5f5a",
  "#5b9891",
  "#a08a5c",
  "#8a6d9c",
  "#994a0c",
  "#2f5079",
  "#82304f",
  "#4a5a17",
]);
const DARK = colours("#ece8df", "#4a463f", [
  "#7cc4bb",
  "#4f8f87",
  "#a38f66",
  "#a58bb8",
  "#eaa56a",
  "#a9c5e8",
  "#ecb0c2",
  "#c0cf8b",
]);
