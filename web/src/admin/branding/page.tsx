import { useQuery } from "@tanstack/react-query";
import { appQuery } from "../../shell/queries.ts";
import { Section } from "../../ui/section.tsx";
import { Loading, Problem } from "../../ui/states.tsx";
import { LookForm } from "./look-form.tsx";
import { NoticeForm } from "./notice-form.tsx";
import { useBrandingTexts } from "./texts.ts";

/** The name, colour and logo of the installation, and a notice to everybody. */
export function BrandingPage() {
  const texts = useBrandingTexts();
  const { data, error, refetch } = useQuery(appQuery);
  if (error) return <Problem error={error} onRetry={() => void refetch()} />;
  if (!data) return <Loading lines={6} className="px-0" />;
  return (
    <>
      <Section title={texts.title} hint={texts.hint}>
        <LookForm branding={data.branding} />
      </Section>
      <Section title={texts.notice} hint={texts.noticeHint}>
        <NoticeForm notice={data.branding.notice} />
      </Section>
    </>
  );
}
