/** The progress of a long step, from 0 to 1. */
export function Progress({ label, value }: { label: string; value: number }) {
  return (
    <progress
      aria-label={label}
      value={value}
      className={
        "h-1 w-full appearance-none overflow-hidden rounded-full bg-sunken " +
        "[&::-webkit-progress-bar]:bg-sunken [&::-webkit-progress-value]:bg-accent " +
        "[&::-moz-progress-bar]:bg-accent"
      }
    />
  );
}
