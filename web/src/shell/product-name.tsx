import { useBranding } from "./branding.ts";

/** The logo and name of the installation. */
export function ProductName() {
  const { name, logo } = useBranding();
  return (
    <span className="flex min-w-0 items-center gap-2">
      {logo && <img src={logo} alt="" className="h-6 max-w-24 shrink-0 object-contain" />}
      <bdi className="truncate">{name}</bdi>
    </span>
  );
}
