/** The initials of a person. Beside the name, so hidden from screen readers. */
export function Avatar({ name }: { name: string }) {
  const initials = name
    .split(/\s+/)
    .filter(Boolean)
    .map((word) => [...word][0])
    .slice(0, 2)
    .join("");
  return (
    <span
      aria-hidden
      // drawn by the style, so that they are no part of the text
      data-initials={initials.toUpperCase()}
      className={
        "inline-flex size-7 shrink-0 items-center justify-center rounded-full bg-sunken " +
        "text-xs font-medium text-muted before:content-[attr(data-initials)]"
      }
    />
  );
}
