/** How the words of a chart of Vega-Lite stand, where the chart does not say it itself. */

const LABEL_PX = 11;
const TITLE_PX = 14;
/** What a character takes on average, of the size of the text. */
const CHARACTER = 0.52;
/** Labels of many narrow bars take this much each; those that would lie over others go. */
const MIN_LABEL_PX = 44;
/** Where the width of a bar is not known, as in charts of several parts. */
const USUAL_LABEL_PX = 80;
/** A narrower chart has its legend below it. */
const NARROW_PX = 480;
/** Of the width, for the names beside bars that lie. */
const BESIDE = 0.35;
const MAX_BESIDE_PX = 180;

/** @param width of the chart, in pixels */
export function chartLayout(width: number) {
  const legend = { labelFontSize: LABEL_PX, titleFontSize: LABEL_PX };
  const columns = 2;
  return {
    // from the left edge of all of it: over the bars alone a long one would be cut
    title: { anchor: "start" as const, frame: "bounds" as const, fontSize: TITLE_PX },
    // nobody turns their head: labels stand upright, in up to two lines each
    axisX: { labelAngle: 0, titleLimit: width, labelLimit: LABEL_WIDTH },
    axisXDiscrete: {
      labelExpr: inLines(LABEL_WIDTH.expr),
      labelOverlap: "greedy" as const,
    },
    axisXQuantitative: { labelFlush: true },
    // above its axis, and not turned beside it
    axisLeft: {
      titleAngle: 0,
      titleAlign: "left" as const,
      titleAnchor: "start" as const,
      titleBaseline: "bottom" as const,
      titleX: 0,
      titleY: -6,
    },
    axisY: { labelLimit: Math.min(MAX_BESIDE_PX, Math.round(width * BESIDE)) },
    axis: {
      labelFontSize: LABEL_PX,
      titleFontSize: LABEL_PX,
      titleFontWeight: 500 as const,
    },
    legend:
      width < NARROW_PX
        ? {
            ...legend,
            orient: "bottom" as const,
            columns,
            labelLimit: Math.round(width / columns) - 2 * LABEL_PX,
          }
        : legend,
  };
}

/** What a label may take: the room of its bar. An expression, as only the scale knows that. */
const LABEL_WIDTH = {
  expr: `bandwidth('x') ? max(bandwidth('x') * 1.1, ${MIN_LABEL_PX}) : ${USUAL_LABEL_PX}`,
};

/** An expression of Vega: a label in at most two lines, which says where it goes on. */
function inLines(width: string): string {
  const characters = `floor((${width}) / ${LABEL_PX * CHARACTER})`;
  const pattern = `regexp('(.{1,' + ${characters} + '})( +|$)', 'g')`;
  const lines = `split(trim(replace(datum.label, ${pattern}, '$1\\n')), '\\n')`;
  return `length(${lines}) > 2 ? [${lines}[0], ${lines}[1] + ' …'] : ${lines}`;
}

/** Breaks a title between words, where it is longer than so many pixels. */
export function wrapText(text: string, width: number): string | string[] {
  const most = Math.max(Math.floor(width / (TITLE_PX * CHARACTER)), 1);
  const lines = [""];
  for (const word of text.split(/\s+/)) {
    const last = lines.at(-1) ?? "";
    if (last === "") lines[lines.length - 1] = word;
    else if (last.length + 1 + word.length <= most)
      lines[lines.length - 1] = `${last} ${word}`;
    else lines.push(word);
  }
  return lines.length > 1 ? lines : text;
}
