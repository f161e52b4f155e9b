import { useMutation } from "@tanstack/react-query";
import { CircleCheck } from "lucide-react";
import { toReportedFailure } from "../../api/failure.ts";
import { formatNumber } from "../../texts/format.ts";
import { Button } from "../../ui/button.tsx";
import { Problem } from "../../ui/states.tsx";
import { type ServerTest, testServer, type ToolServer } from "./queries.ts";
import { readServer } from "./server-fields.ts";
import { useToolTexts } from "./texts.ts";

/** A part of a form that tests the entered server, and lists its tools. */
export function ServerTestPart({ server }: { server: ToolServer | undefined }) {
  const texts = useToolTexts();
  const test = useMutation({ mutationFn: testServer });
  const refusal = test.data?.error && toReportedFailure(test.data.error);
  const problem = test.error ?? refusal;
  return (
    <div className="grid justify-items-start gap-2">
      <Button
        busy={test.isPending}
        onClick={({ currentTarget: { form } }) => {
          if (form?.reportValidity()) test.mutate(readServer(new FormData(form), server));
        }}
      >
        {texts.test}
      </Button>
      {problem && !test.isPending && <Problem error={problem} />}
      {test.data?.ok && !test.isPending && <Found test={test.data} />}
    </div>
  );
}

function Found({ test: { tools, latencyMs } }: { test: ServerTest }) {
  const texts = useToolTexts();
  return (
    <div className="grid w-full min-w-0 gap-1">
      <p role="status" className="flex items-center gap-2 text-ok">
        <CircleCheck aria-hidden size={18} />
        {texts.testFound(formatNumber(tools.length), formatNumber(latencyMs))}
      </p>
      <ul
        tabIndex={0}
        aria-label={texts.testTools}
        className="max-h-48 divide-y divide-hairline overflow-y-auto"
      >
        {tools.map(({ name, title, description }) => (
          <li key={name} className="min-w-0 py-1">
            <bdi className="block truncate font-medium" title={name}>
              {title ?? name}
            </bdi>
            <bdi className="line-clamp-2 text-xs text-muted wrap-anywhere">
              {description}
            </bdi>
          </li>
        ))}
      </ul>
    </div>
  );
}
