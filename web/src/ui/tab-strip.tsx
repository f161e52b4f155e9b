import { useRouterState } from "@tanstack/react-router";
import { type ReactNode, useEffect, useRef } from "react";

interface TabStripProps {
  label: string;
  className: string;
  children: ReactNode;
}

/** Links beside each other that scroll where the screen is narrow: the open one is in view. */
export function TabStrip({ label, className, children }: TabStripProps) {
  const ref = useRef<HTMLElement>(null);
  const path = useRouterState({ select: ({ location }) => location.pathname });
  useEffect(() => {
    const strip = ref.current;
    const open = strip?.querySelector<HTMLElement>('[data-status="active"]');
    if (!strip || !open) return;
    const { left, right } = open.getBoundingClientRect();
    const shown = strip.getBoundingClientRect();
    if (left < shown.left) strip.scrollLeft += left - shown.left;
    else if (right > shown.right) strip.scrollLeft += right - shown.right;
  }, [path]);
  return (
    <nav ref={ref} aria-label={label} className={className}>
      {children}
    </nav>
  );
}
