import { Copy } from "lucide-react";
import { Button } from "../../ui/button.tsx";
import { copyText } from "../../ui/copy-text.ts";
import { notify } from "../../ui/notices.tsx";
import { useSourceTexts } from "./texts.ts";
import { webhookExample } from "./webhook-example.ts";

/** The placeholder for a secret, which is shown only when it is created. */
const UNKNOWN_SECRET = "whsec_…";

/** A signed message to copy into a terminal. */
export function Example({
  url,
  secret = UNKNOWN_SECRET,
}: {
  url: string;
  secret?: string;
}) {
  const texts = useSourceTexts();
  const example = webhookExample(url, secret);
  const copy = () => copyText(example).then(() => notify(texts.copied));
  return (
    <div className="grid grid-cols-1 justify-items-start gap-2">
      <pre
        tabIndex={0}
        aria-label={texts.webhook}
        className="w-full overflow-x-auto rounded-lg bg-sunken p-3 font-mono text-xs"
      >
        {example}
      </pre>
      <Button onClick={() => void copy()}>
        <Copy aria-hidden size={15} />
        {texts.copy}
      </Button>
    </div>
  );
}
