import type { ErrorComponentProps } from "@tanstack/react-router";
import { Problem } from "../ui/states.tsx";
import { useShellTexts } from "./texts.ts";

/** Shown in place of an area that failed. */
export function PageError({ error, reset }: ErrorComponentProps) {
  const texts = useShellTexts();
  return (
    <div className="mx-auto grid max-w-measure gap-4 p-6 pt-16">
      <h1 className="text-xl">{texts.failed}</h1>
      <Problem error={error} onRetry={reset} />
    </div>
  );
}
