import { Forbidden } from "../../platform/http/errors.ts";
import { type CarriedLabel, judgeByLabels } from "../users/contract-judge-labels.ts";

/** @throws Forbidden `label_forbids_provider`. */
export function refuseProvider(
  labels: readonly CarriedLabel[] = [],
  provider: string,
): void {
  const { label } = judgeByLabels(labels, { kind: "provider", provider });
  if (!label) return;
  const providers = (label.providers ?? []).join(", ") || "–";
  throw new Forbidden(
    "label_forbids_provider",
    `The label “${label.name}” does not let ${provider} read this. Choose a model of another ` +
      `provider: ${providers}.`,
    { params: { label: label.name, provider, providers } },
  );
}
