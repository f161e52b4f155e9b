import { useEffect, useRef } from "react";
import { isComposing } from "../ui/is-composing.ts";

/** A key with its modifiers, such as `mod+k`: Command on a Mac, Control elsewhere. */
export type KeyName = string;

type Handlers = Partial<Record<KeyName, (event: KeyboardEvent) => void>>;

const isMac = /mac|iphone|ipad/i.test(globalThis.navigator?.userAgent ?? "");

/**
 * Handles keys while the component is mounted. A key without a modifier has no effect while the
 * person types; the handler of the component mounted last comes first.
 */
export function useKeys(handlers: Handlers): void {
  const current = useRef(handlers);
  useEffect(() => {
    current.current = handlers;
  });
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => {
      if (event.defaultPrevented || isComposing(event)) return;
      const name = nameOf(event);
      const handler = current.current[name];
      if (!handler || (!name.startsWith("mod+") && isTyping(event))) return;
      event.preventDefault();
      handler(event);
    };
    window.addEventListener("keydown", onKeyDown);
    return () => window.removeEventListener("keydown", onKeyDown);
  }, []);
}

/** How a key is written for people. */
export function describeKey(name: KeyName): string {
  return name
    .split("+")
    .map((part) => {
      if (part === "mod") return isMac ? "⌘" : "Ctrl";
      if (part === "shift") return isMac ? "⇧" : "Shift";
      if (part === "arrowup") return "↑";
      return part.length === 1
        ? part.toUpperCase()
        : part[0]?.toUpperCase() + part.slice(1);
    })
    .join(" ");
}

function nameOf(event: KeyboardEvent): KeyName {
  const mod = isMac ? event.metaKey : event.ctrlKey;
  const isLetter = /^[a-z]$/i.test(event.key);
  const shift = event.shiftKey && (isLetter || event.key.length > 1);
  return [mod && "mod", shift && "shift", event.key.toLowerCase()]
    .filter(Boolean)
    .join("+");
}

function isTyping(event: KeyboardEvent): boolean {
  const [target] = event.composedPath(); // also within a shadow root
  if (!(target instanceof HTMLElement)) return false;
  return target.isContentEditable || /^(INPUT|TEXTAREA|SELECT)$/.test(target.tagName);
}
