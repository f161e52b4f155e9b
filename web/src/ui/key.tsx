/** A key of the keyboard. */
export function Key({ children }: { children: string }) {
  return (
    <kbd className="rounded-sm border border-b-2 border-hairline-strong bg-page px-1.25 py-px font-sans text-xs font-medium text-muted">
      {children}
    </kbd>
  );
}
