import { join } from "../ui/join.ts";

type Scheme = "light" | "dark";

/** A small window of the app in a theme; of `system`, half in each. */
export function ThemePicture({ theme }: { theme: Scheme | "system" }) {
  return (
    <span className="relative block h-24 border-b border-hairline">
      <Window scheme={theme === "dark" ? "dark" : "light"} />
      {theme === "system" && (
        <span className="absolute inset-0 [clip-path:polygon(62%_0,100%_0,100%_100%,38%_100%)]">
          <Window scheme="dark" />
        </span>
      )}
    </span>
  );
}

/** The colours follow the scheme of the element, whatever the page has. */
function Window({ scheme }: { scheme: Scheme }) {
  return (
    <span
      className={join(
        "absolute inset-0 flex bg-page",
        scheme === "dark" ? "[color-scheme:dark]" : "[color-scheme:light]",
      )}
    >
      <span className="flex w-1/4 flex-col gap-1.5 border-r border-hairline bg-rail p-2">
        <Line className="w-3/4 bg-accent" />
        <Line className="w-full bg-hairline-strong" />
        <Line className="w-2/3 bg-hairline-strong" />
      </span>
      <span className="flex flex-1 flex-col gap-1.5 p-2.5">
        <Line className="w-1/3 self-end bg-accent-line" />
        <Line className="w-11/12 bg-muted" />
        <Line className="w-3/4 bg-muted" />
        <span className="mt-auto h-4 rounded-md border border-hairline-strong bg-raised" />
      </span>
    </span>
  );
}

/** Rows of a list, as close together as they would be. */
export function DensityPicture({ density }: { density: "comfortable" | "compact" }) {
  const isCompact = density === "compact";
  return (
    <span
      className={join(
        "flex h-20 flex-col justify-center border-b border-hairline bg-page px-4",
        isCompact ? "gap-1" : "gap-2.5",
      )}
    >
      {Array.from({ length: isCompact ? 6 : 4 }, (_, at) => (
        <span key={at} className="flex items-center gap-2">
          <span className="size-1.5 rounded-full bg-accent" />
          <Line className={at % 2 ? "w-1/2 bg-control" : "w-3/4 bg-control"} />
        </span>
      ))}
    </span>
  );
}

const SIZES = {
  small: "text-[15px]",
  normal: "text-[16px]",
  large: "text-[18px]",
  larger: "text-[20px]",
} as const;

/** Letters as large as they would be, whatever size the page has now. */
export function SizePicture({ size }: { size: keyof typeof SIZES }) {
  return (
    <span
      className={join(
        "grid h-14 place-items-center border-b border-hairline bg-page font-serif",
        SIZES[size],
      )}
    >
      <span className="text-[1.6em] leading-none">Aa</span>
    </span>
  );
}

function Line({ className }: { className: string }) {
  return <span className={`block h-1.5 rounded-full ${className}`} />;
}
