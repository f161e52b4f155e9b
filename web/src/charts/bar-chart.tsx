export interface Bar {
  key: string;
  /** What the bar stands for, such as a day. */
  label: string;
  value: number;
}

interface BarChartProps {
  /** What the chart shows; read to those who cannot see it. */
  caption: string;
  bars: readonly Bar[];
  format: (value: number) => string;
}

const WIDTH = 720;
const HEIGHT = 180;
const GAP = 2;
const MIN_BAR = 2;

/** Bars side by side, with the highest value and the first and last label at the axes. */
export function BarChart({ caption, bars, format }: BarChartProps) {
  const highest = Math.max(...bars.map(({ value }) => value), 0);
  const step = WIDTH / Math.max(bars.length, 1);
  const heightOf = (value: number) =>
    value <= 0 ? 0 : Math.max(MIN_BAR, (value / highest) * HEIGHT);
  return (
    <figure className="grid gap-1" aria-label={caption}>
      <p aria-hidden className="text-right text-xs text-muted tabular-nums">
        {format(highest)}
      </p>
      <svg
        role="img"
        aria-label={caption}
        viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
        preserveAspectRatio="none"
        className="h-44 w-full border-y border-hairline"
      >
        {bars.map(({ key, label, value }, at) => (
          <g key={key} className="fill-accent hover:opacity-70">
            <title>{`${label}: ${format(value)}`}</title>
            <rect
              x={at * step}
              y={0}
              width={step}
              height={HEIGHT}
              className="fill-transparent"
            />
            <rect
              x={at * step + GAP / 2}
              y={HEIGHT - heightOf(value)}
              width={Math.max(1, step - GAP)}
              height={heightOf(value)}
            />
          </g>
        ))}
      </svg>
      <p aria-hidden className="flex justify-between text-xs text-muted">
        <span>{bars[0]?.label}</span>
        <span>{bars.at(-1)?.label}</span>
      </p>
    </figure>
  );
}
