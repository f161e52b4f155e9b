import { join } from "./join.ts";
import { tintOf } from "./tint.ts";

interface AvatarProps {
  name: string;
  size?: "small" | "medium";
}

/** The initial of a person. Beside the name, so hidden from screen readers. */
export function Avatar({ name, size = "medium" }: AvatarProps) {
  const [initial = ""] = [...name.trim()];
  return (
    <span
      aria-hidden
      // drawn by the style, so that it is no part of the text
      data-initial={initial.toUpperCase()}
      className={join(
        "inline-flex shrink-0 items-center justify-center rounded-full font-semibold",
        "before:content-[attr(data-initial)]",
        size === "small" ? "size-6 text-xs" : "size-8",
        tintOf(name),
      )}
    />
  );
}
