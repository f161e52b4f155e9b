interface Series {
  key: string;
  label: string;
  /** From 0 to 1, one for each group. */
  values: readonly number[];
}

interface GroupedBarsProps {
  /** What the chart shows; read to those who cannot see it. A table beside it has the figures. */
  caption: string;
  groups: readonly string[];
  series: readonly Series[];
  format: (value: number) => string;
}

const WIDTH = 720;
const ROW = 14;
const GAP = 10;
/** Of each series, the first the strongest. */
const SHADES = ["opacity-100", "opacity-60", "opacity-30"];

/** Shares in bars that lie, several beside each group. */
export function GroupedBars({ caption, groups, series, format }: GroupedBarsProps) {
  const height = series.length * ROW;
  return (
    <figure className="grid gap-3" aria-label={caption}>
      <figcaption className="flex flex-wrap gap-x-4 text-xs text-muted">
        {series.map(({ key, label }, at) => (
          <span key={key} className="inline-flex items-center gap-1.5">
            <span aria-hidden className={`size-2.5 rounded-sm bg-accent ${SHADES[at]}`} />
            {label}
          </span>
        ))}
      </figcaption>
      {groups.map((group, place) => (
        <div
          key={group}
          className="grid items-center gap-x-4 sm:grid-cols-[12rem_minmax(0,1fr)]"
        >
          <span className="text-xs">{group}</span>
          <svg
            role="img"
            aria-label={`${group}: ${series
              .map(({ label, values }) => `${label} ${format(values[place] ?? 0)}`)
              .join(", ")}`}
            viewBox={`0 0 ${WIDTH} ${height}`}
            preserveAspectRatio="none"
            className="h-12 w-full border-l border-control"
          >
            {series.map(({ key, label, values }, at) => (
              <rect
                key={key}
                y={at * ROW}
                width={(values[place] ?? 0) * WIDTH}
                height={ROW - GAP / series.length}
                className={`fill-accent ${SHADES[at]}`}
              >
                <title>{`${label}: ${format(values[place] ?? 0)}`}</title>
              </rect>
            ))}
          </svg>
        </div>
      ))}
    </figure>
  );
}
