import { useRouterState } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { useUiTexts } from "../ui/texts.ts";
import { useLate } from "../ui/use-late.ts";

/** The pages, below a bar while the script of the next one is fetched. */
export function WithLoadingBar({ children }: { children: ReactNode }) {
  return (
    <>
      <LoadingBar />
      {children}
    </>
  );
}

function LoadingBar() {
  const texts = useUiTexts();
  const isLate = useLate(useRouterState({ select: ({ isLoading }) => isLoading }));
  // screen readers announce what comes into a region that is already there
  return (
    <div role="status" className="fixed inset-x-0 top-0 z-50 print:hidden">
      {isLate && (
        <>
          <span className="sr-only">{texts.loading}</span>
          <div aria-hidden className="h-0.5 animate-pulse bg-accent" />
        </>
      )}
    </div>
  );
}
