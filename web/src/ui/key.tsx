/** A key of the keyboard. */
export function Key({ children }: { children: string }) {
  return (
    <kbd className="rounded-md border border-hairline bg-sunken px-1.5 font-sans text-xs text-muted">
      {children}
    </kbd>
  );
}
