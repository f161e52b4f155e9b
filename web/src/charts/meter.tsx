interface MeterProps {
  label: string;
  /** From 0 to 1: 1 means that all of it is used. */
  share: number;
  /** From this share on it is highlighted. */
  warnAt: number;
}

/** The used share of an amount. */
export function Meter({ label, share, warnAt }: MeterProps) {
  const look = share >= 1 ? "fill-danger" : share >= warnAt ? "fill-warn" : "fill-accent";
  return (
    <svg
      role="meter"
      aria-label={label}
      aria-valuemin={0}
      aria-valuemax={100}
      aria-valuenow={Math.min(100, Math.round(share * 100))}
      viewBox="0 0 100 6"
      preserveAspectRatio="none"
      className="h-1.5 w-full rounded-md bg-sunken"
    >
      <rect width={Math.min(100, share * 100)} height={6} className={look} />
    </svg>
  );
}
