import { useBranding } from "./branding.ts";

/** The logo and name of the installation. Without a logo its initial stands for it. */
export function ProductName({ hidesName = false }: { hidesName?: boolean }) {
  const { name, logo } = useBranding();
  return (
    <span className="flex min-w-0 items-center gap-2.5">
      {logo ? (
        <img src={logo} alt="" className="h-6 max-w-24 shrink-0 object-contain" />
      ) : (
        <Mark name={name} />
      )}
      <bdi title={name} className={hidesName ? "sr-only" : "truncate"}>
        {name}
      </bdi>
    </span>
  );
}

function Mark({ name }: { name: string }) {
  if (name === "Parlance")
    return (
      <svg aria-hidden viewBox="0 0 32 32" className="size-[1.2em] shrink-0">
        <rect width="32" height="32" rx="7" className="fill-accent" />
        <path d="M9 8h9a6 6 0 0 1 0 12h-5v4H9z" className="fill-on-accent" />
        <path d="M23 9v15" strokeWidth="2" className="stroke-mark" />
      </svg>
    );
  const [initial = ""] = [...name.trim()];
  return (
    <span
      aria-hidden
      // drawn by the style, so that it is no part of the text
      data-initial={initial.toUpperCase()}
      className={
        "inline-flex size-[1.2em] shrink-0 items-center justify-center rounded-sm bg-accent " +
        "font-sans text-on-accent before:text-[0.72em] before:content-[attr(data-initial)]"
      }
    />
  );
}
