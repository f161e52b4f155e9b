import { useQuery } from "@tanstack/react-query";
import { Unplug } from "lucide-react";
import { appQuery } from "../../shell/queries.ts";
import { Section } from "../../ui/section.tsx";
import { Empty, Loading } from "../../ui/states.tsx";
import { GrantForm } from "./grant-form.tsx";
import { PermissionTable } from "./permission-table.tsx";
import { useFlowAdminTexts } from "./texts.ts";

/** `/admin/flows`: who may run which flow. */
export function FlowPermissionsPage() {
  const texts = useFlowAdminTexts();
  const { data } = useQuery(appQuery);
  if (!data) return <Loading />;
  if (!data.features.flows)
    return (
      <Empty icon={Unplug} title={texts.off}>
        {texts.offHint}
      </Empty>
    );
  return (
    <>
      <Section title={texts.title} hint={texts.hint}>
        <GrantForm />
      </Section>
      <PermissionTable />
    </>
  );
}
