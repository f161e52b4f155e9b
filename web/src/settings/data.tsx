import { Download } from "lucide-react";
import { Section } from "../ui/section.tsx";
import { exportAddress } from "./queries.ts";
import { useSettingsTexts } from "./texts.ts";

export function Data() {
  const { data: texts } = useSettingsTexts();
  return (
    <Section title={texts.title} hint={texts.hint}>
      <a
        href={exportAddress}
        download
        className={
          "inline-flex min-h-8 items-center gap-2 justify-self-start rounded-md border " +
          "border-control bg-raised px-3 py-1 font-medium hover:bg-sunken pointer-coarse:min-h-11"
        }
      >
        <Download aria-hidden size={16} />
        {texts.download}
      </a>
    </Section>
  );
}
