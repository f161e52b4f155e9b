import { buttonLook } from "../ui/button.tsx";
import { Download } from "lucide-react";
import { Section } from "../ui/section.tsx";
import { exportAddress } from "./queries.ts";
import { useSettingsTexts } from "./texts.ts";

export function Data() {
  const { data: texts } = useSettingsTexts();
  return (
    <Section title={texts.title} hint={texts.hint}>
      <a href={exportAddress} download className={`${buttonLook()} justify-self-start`}>
        <Download aria-hidden size={16} />
        {texts.download}
      </a>
    </Section>
  );
}
