import { Copy } from "lucide-react";
import { Button } from "../../ui/button.tsx";
import { copyText } from "../../ui/copy-text.ts";
import { notify } from "../../ui/notices.tsx";
import { useSourceTexts } from "./texts.ts";

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

/** Commands that send a signed message, for any POSIX shell with openssl and curl. */
function webhookExample(url: string, secret: string): string {
  return `URL='${url}'
SECRET='${secret}'
BODY='{"order": 7}'
TIME=$(date +%s); ID="msg_$TIME"
KEY=$(printf %s "\${SECRET#whsec_}" | openssl base64 -d -A | od -An -v -tx1 | tr -d ' \\n')
SIGNATURE=$(printf %s "$ID.$TIME.$BODY" |
  openssl dgst -sha256 -mac hmac -macopt "hexkey:$KEY" -binary | openssl base64 -A)
curl -sS "$URL" -H 'content-type: application/json' -H "webhook-id: $ID" \\
  -H "webhook-timestamp: $TIME" -H "webhook-signature: v1,$SIGNATURE" -d "$BODY"
`;
}
